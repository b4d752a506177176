import type { ConsoleLanguage } from '#http/negotiation/choose-language.ts';
import { pageTexts, type TextKey } from '#http/pages/texts.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';

const TEXTS = pageTexts('console.approvals');
type CodeOf<Key> = Key extends `refusal.${infer Code}` ? Code : never;

/** Why a proposal takes no approval, decline or withdrawal. */
export type ApprovalRefusalCode = CodeOf<TextKey<'console.approvals'>>;

export class ApprovalRefusal extends OperatorFault {
  readonly code: ApprovalRefusalCode;
  /** The proposal that stands in the way; null: none. */
  readonly proposalId: string | null;

  constructor(code: ApprovalRefusalCode, proposalId: string | null = null) {
    const named = proposalId === null ? '' : ` (${proposalId})`;
    super(TEXTS.en.text(`refusal.${code}`) + named);
    this.name = 'ApprovalRefusal';
    this.code = code;
    this.proposalId = proposalId;
  }

  override sentence(language: ConsoleLanguage): string {
    return TEXTS[language].text(`refusal.${this.code}`);
  }
}
