import type { ApprovalRefusalCode } from '#approvals/approval-refusal.ts';
import type { ActKind } from '#approvals/model/act.ts';
import type { ProposalStatus } from '#approvals/model/proposal.ts';
import { type Catalogue, compileTexts } from '#http/pages/texts.ts';

type Key =
  | `kind.${ActKind}`
  | `status.${ProposalStatus}`
  | `refusal.${ApprovalRefusalCode}`
  | `tab.${'waiting' | 'mine' | 'done'}`
  | `empty.${'waiting' | 'mine' | 'done'}`
  | `notice.${'proposed' | 'approved' | 'executed' | 'declined' | 'withdrawn'}`
  | 'title'
  | 'lead'
  | 'tabs'
  | 'act'
  | 'merchant'
  | 'sum'
  | 'proposer'
  | 'proposed'
  | 'expires'
  | 'status'
  | 'approvedBy'
  | 'executed'
  | 'ended'
  | 'endedBy'
  | 'reason'
  | 'note'
  | 'refundReason'
  | 'movement'
  | 'content'
  | 'contentHint'
  | 'changes'
  | 'stays'
  | 'decision'
  | 'fact'
  | 'before'
  | 'after'
  | 'atExecution'
  | 'waitsForOne'
  | 'waitsForTwo'
  | 'doneSoon'
  | 'ownProposal'
  | 'byLink'
  | 'approvedAlready'
  | 'approve'
  | 'approveHint'
  | 'decline'
  | 'declineReason'
  | 'declineHint'
  | 'withdraw'
  | 'signInAgain'
  | 'back'
  | 'paymentRequest'
  | 'case'
  | 'unknownMerchant';

const CATALOGUE: Catalogue<Key> = {
  en: {
    title: 'Approvals',
    lead: 'Two people stand behind these acts: one proposes, another approves.',
    tabs: 'Proposals',
    'tab.waiting': 'Waiting',
    'tab.mine': 'Yours',
    'tab.done': 'Ended',
    'empty.waiting': 'No act waits for an approval.',
    'empty.mine': 'You have proposed nothing that is among the latest proposals.',
    'empty.done': 'No proposal has ended yet.',
    'kind.REFUND': 'Refund',
    'kind.CASE_ACCEPT': 'Accept a case',
    'kind.CASE_ASSIGN': 'Assign the money of a case',
    'kind.CASE_REFUND': 'Refund the money of a case',
    'kind.CASE_REPLACE': 'Replace an earlier booking',
    'kind.CASE_SPLIT': 'Split the money of a case',
    'kind.REFUND_FAIL': 'Fail a refund',
    'kind.ACCOUNT_SET': 'Set the account',
    'kind.ACCOUNT_CLOSE': 'Close an account',
    'status.WAITING': 'Waiting',
    'status.APPROVED': 'Approved',
    'status.EXECUTED': 'Done',
    'status.FAILED': 'Failed',
    'status.DECLINED': 'Declined',
    'status.WITHDRAWN': 'Withdrawn',
    'status.EXPIRED': 'Expired',
    'notice.proposed': 'Proposed. Nothing has happened yet: another person must approve it.',
    'notice.approved': 'Your approval is recorded.',
    'notice.executed': 'Approved and done.',
    'notice.declined': 'Declined. Nothing was done.',
    'notice.withdrawn': 'Withdrawn. Nothing was done.',
    'refusal.UNKNOWN_PROPOSAL': 'There is no such proposal.',
    'refusal.NOT_WAITING': 'The proposal does not wait any more. Nothing was changed.',
    'refusal.NO_SUBJECT':
      'A session of a one-time link cannot approve. Sign in at your identity provider.',
    'refusal.OWN_PROPOSAL': 'Another person must approve your proposal.',
    'refusal.APPROVED_BEFORE': 'You have approved it already: another person must approve it, too.',
    'refusal.OTHER_CONTENT': 'The proposal is not the one that your page showed. Look at it again.',
    'refusal.NOT_PROPOSER': 'Only the proposer can withdraw a proposal. You can decline it.',
    'refusal.NO_REASON': 'Give the reason, 1 to 500 characters.',
    'refusal.OTHER_PROPOSAL_OPEN': 'Another proposal about the same matter waits: end it first.',
    act: 'Act',
    merchant: 'Merchant',
    sum: 'Amount',
    proposer: 'Proposed by',
    proposed: 'Proposed',
    expires: 'Expires',
    status: 'Status',
    approvedBy: 'Approved by',
    executed: 'Done',
    ended: 'Ended',
    endedBy: 'Ended by',
    reason: 'Reason',
    note: 'Note',
    refundReason: 'Reason of the refund',
    movement: 'Movement',
    content: 'Content (SHA-256)',
    contentHint: 'The hash of the act and of its facts. An approval is for this content alone.',
    changes: 'Facts that the act changes',
    stays: 'Facts that stay as they are',
    decision: 'Your decision',
    fact: 'Fact',
    before: 'Before',
    after: 'After',
    atExecution: 'When it was to happen',
    waitsForOne: 'Another person must approve it.',
    waitsForTwo: 'Two people must approve it: neither a link nor the command line counts.',
    doneSoon: 'It is approved, and the service is about to do it.',
    ownProposal: 'You have proposed it: another person must approve it.',
    byLink: 'You signed in by a one-time link, which cannot approve. You can decline.',
    approvedAlready: 'You have approved it.',
    approve: 'Approve',
    approveHint: 'The act happens at once, and your name stands beside the proposer’s.',
    decline: 'Decline',
    declineReason: 'Reason of the decline',
    declineHint: 'The proposer reads it; the audit log keeps it.',
    withdraw: 'Withdraw the proposal',
    signInAgain: 'Sign in again to decide',
    back: 'All proposals',
    paymentRequest: 'Open the payment request',
    case: 'Open the case',
    unknownMerchant: 'none',
  },
  fr: {
    title: 'Approbations',
    lead: 'Deux personnes répondent de ces actes\u00a0: l’une propose, l’autre approuve.',
    tabs: 'Propositions',
    'tab.waiting': 'En attente',
    'tab.mine': 'Les vôtres',
    'tab.done': 'Terminées',
    'empty.waiting': 'Aucun acte n’attend d’approbation.',
    'empty.mine': 'Vous n’avez rien proposé parmi les dernières propositions.',
    'empty.done': 'Aucune proposition n’est encore terminée.',
    'kind.REFUND': 'Remboursement',
    'kind.CASE_ACCEPT': 'Accepter un dossier',
    'kind.CASE_ASSIGN': 'Attribuer l’argent d’un dossier',
    'kind.CASE_REFUND': 'Rembourser l’argent d’un dossier',
    'kind.CASE_REPLACE': 'Remplacer une écriture antérieure',
    'kind.CASE_SPLIT': 'Répartir l’argent d’un dossier',
    'kind.REFUND_FAIL': 'Déclarer un remboursement échoué',
    'kind.ACCOUNT_SET': 'Définir le compte',
    'kind.ACCOUNT_CLOSE': 'Fermer un compte',
    'status.WAITING': 'En attente',
    'status.APPROVED': 'Approuvée',
    'status.EXECUTED': 'Exécutée',
    'status.FAILED': 'Échouée',
    'status.DECLINED': 'Refusée',
    'status.WITHDRAWN': 'Retirée',
    'status.EXPIRED': 'Expirée',
    'notice.proposed':
      'Proposé. Rien ne s’est encore passé\u00a0: une autre personne doit approuver.',
    'notice.approved': 'Votre approbation est enregistrée.',
    'notice.executed': 'Approuvé et fait.',
    'notice.declined': 'Refusé. Rien n’a été fait.',
    'notice.withdrawn': 'Retiré. Rien n’a été fait.',
    'refusal.UNKNOWN_PROPOSAL': 'Cette proposition n’existe pas.',
    'refusal.NOT_WAITING': 'La proposition n’attend plus. Rien n’a été modifié.',
    'refusal.NO_SUBJECT':
      'Une session par lien à usage unique ne peut pas approuver. Identifiez-vous auprès de ' +
      'votre fournisseur d’identité.',
    'refusal.OWN_PROPOSAL': 'Une autre personne doit approuver votre proposition.',
    'refusal.APPROVED_BEFORE':
      'Vous l’avez déjà approuvée\u00a0: une autre personne doit aussi l’approuver.',
    'refusal.OTHER_CONTENT':
      'La proposition n’est pas celle que votre page montrait. Vérifiez-la de nouveau.',
    'refusal.NOT_PROPOSER': 'Seul l’auteur peut retirer une proposition. Vous pouvez la refuser.',
    'refusal.NO_REASON': 'Indiquez la raison, de 1 à 500 caractères.',
    'refusal.OTHER_PROPOSAL_OPEN':
      'Une autre proposition sur la même affaire attend\u00a0: terminez-la d’abord.',
    act: 'Acte',
    merchant: 'Marchand',
    sum: 'Montant',
    proposer: 'Proposé par',
    proposed: 'Proposé',
    expires: 'Expire',
    status: 'État',
    approvedBy: 'Approuvé par',
    executed: 'Fait',
    ended: 'Terminé',
    endedBy: 'Terminé par',
    reason: 'Raison',
    note: 'Note',
    refundReason: 'Raison du remboursement',
    movement: 'Mouvement',
    content: 'Contenu (SHA-256)',
    contentHint: 'L’empreinte de l’acte et de ses faits. L’approbation vaut pour ce contenu seul.',
    changes: 'Ce que l’acte modifie',
    stays: 'Faits qui ne changent pas',
    decision: 'Votre décision',
    fact: 'Fait',
    before: 'Avant',
    after: 'Après',
    atExecution: 'Au moment d’agir',
    waitsForOne: 'Une autre personne doit l’approuver.',
    waitsForTwo:
      'Deux personnes doivent l’approuver\u00a0: ni un lien ni la ligne de commande ne comptent.',
    doneSoon: 'C’est approuvé, et le service va agir.',
    ownProposal: 'Vous l’avez proposé\u00a0: une autre personne doit l’approuver.',
    byLink: 'Une session par lien à usage unique ne peut pas approuver. Vous pouvez refuser.',
    approvedAlready: 'Vous l’avez approuvé.',
    approve: 'Approuver',
    approveHint: 'L’acte a lieu aussitôt, et votre nom figure à côté de celui de l’auteur.',
    decline: 'Refuser',
    declineReason: 'Raison du refus',
    declineHint: 'L’auteur la lit\u00a0; le journal d’audit la garde.',
    withdraw: 'Retirer la proposition',
    signInAgain: 'S’identifier de nouveau pour décider',
    back: 'Toutes les propositions',
    paymentRequest: 'Ouvrir la demande de paiement',
    case: 'Ouvrir le dossier',
    unknownMerchant: 'aucun',
  },
};

export const APPROVAL_TEXTS = compileTexts(CATALOGUE);
