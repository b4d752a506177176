import { pageTexts } from '#http/pages/texts.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { LONGEST_TEMPLATE_TEXT, PLACEHOLDERS } from '#messages/model/template.ts';

const TEXTS = pageTexts('console.templates');
type Page = keyof typeof TEXTS;

/** Why a template is refused; each has its sentence in the texts of the console. */
export type TemplateFaultCode =
  | 'ID'
  | 'OBJECT'
  | 'UNKNOWN'
  | 'LENGTH'
  | 'CONTROL'
  | 'MARKUP'
  | 'PLACEHOLDER'
  | 'LINK'
  | 'REPLY_TO'
  | 'UNCONFIRMED'
  | 'TAKEN'
  | 'CHANGED'
  | 'TOO_MANY'
  | 'IS_DEFAULT'
  | 'NO_TEMPLATE';

export interface TemplateFieldFault {
  /** The path of the text, such as `texts.fr.REQUEST.subject`. */
  readonly field: string;
  readonly code: TemplateFaultCode;
}

/** A template that is refused, with every field that is wrong; commands print its sentences. */
export class TemplateFault extends OperatorFault {
  readonly faults: readonly TemplateFieldFault[];

  constructor(faults: readonly TemplateFieldFault[]) {
    const lines = faults.map((fault) => `${fault.field}: ${faultSentence('en', fault)}`);
    super(lines.join('\n'), faults[0]?.field);
    this.faults = faults;
  }

  override sentence(language: Page): string {
    return this.faults.map((fault) => faultSentence(language, fault)).join(' ');
  }
}

export function faultSentence(language: Page, { code }: TemplateFieldFault): string {
  const placeholders = PLACEHOLDERS.map((name) => `{${name}}`).join(' ');
  return TEXTS[language].text(`fault.${code}`, { most: LONGEST_TEMPLATE_TEXT, placeholders });
}

export function refused(field: string, code: TemplateFaultCode): TemplateFault {
  return new TemplateFault([{ field, code }]);
}
