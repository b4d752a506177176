import type { Texts } from './en.ts';
import { refusals } from './refunds-fr.ts';

/** Canadian French; `\u00a0` keeps a colon or a unit on the line of its word. */
export const fr: Texts = {
  states: {
    AT_PICKUP: {
      heading: 'Votre commande est réservée',
      text: 'Nous la gardons une semaine au comptoir. Vous payez en venant la chercher.',
    },
    UNPAID: {
      heading: 'Votre commande attend son paiement',
      text: 'Vous n’avez pas encore commencé de paiement. Nous la préparons dès qu’elle est payée.',
    },
    AWAITING_PAYMENT: {
      heading: 'Votre commande attend son paiement',
      text:
        'Aucun paiement n’est encore arrivé. Si vous en avez confirmé un à votre banque, ' +
        'attendez un instant\u00a0: cette page se met à jour d’elle-même.',
    },
    SETTLING: {
      heading: 'Votre banque traite le paiement',
      text:
        'Vous l’avez confirmé, et votre banque n’a pas encore terminé. Vous n’avez rien à ' +
        'faire\u00a0: ne payez pas une deuxième fois. Cette page se met à jour d’elle-même.',
    },
    PAID_NOT_CONFIRMED: {
      heading: 'Votre paiement est arrivé',
      text:
        'Nous attendons l’avis du service de paiement et préparons votre commande dès que nous ' +
        'l’avons. Vous n’avez ni à payer de nouveau ni à rester sur cette page.',
    },
    RELEASED: {
      heading: 'Payée. Votre commande est confirmée',
      text: 'Nous la préparons. Vous pouvez venir la chercher au comptoir demain dès huit heures.',
    },
    MONEY_RETURNED: {
      heading: 'Votre banque a repris le paiement',
      text:
        'Nous gardons votre commande et ne la remettons pas pour l’instant. Nous vous appelons ' +
        'pour comprendre pourquoi.',
    },
    DECLINED: {
      heading: 'Vous avez refusé le paiement',
      text:
        'Rien n’a été payé. Nous gardons votre commande et votre panier, au cas où vous ' +
        'changeriez d’avis.',
    },
    FAILED: {
      heading: 'Le paiement n’a pas abouti',
      text:
        'Votre commande n’est pas payée. Nous la gardons\u00a0: réessayez, avec votre banque ou ' +
        'une autre.',
    },
    EXPIRED: {
      heading: 'La page de paiement a expiré',
      text: 'Nous gardons votre commande. Commencez un nouveau paiement quand vous voulez.',
    },
    CANCELLED: {
      heading: 'Le paiement a été annulé',
      text:
        'Votre commande n’est pas payée. Commencez un nouveau paiement si vous la voulez ' +
        'encore.',
    },
  },
  reasons: {
    PAYER_DECLINED: 'Vous avez choisi de ne pas payer sur la page de votre banque.',
    AUTHENTICATION_FAILED: 'Votre banque n’a pas pu vous authentifier.',
    INSUFFICIENT_FUNDS: 'Votre compte ne contient pas assez d’argent pour ce paiement.',
    ACCOUNT_RESTRICTED:
      'Votre banque ne permet pas ce paiement à partir de votre compte. Elle peut vous dire ' +
      'pourquoi.',
    AMOUNT_LIMIT_EXCEEDED:
      'Le montant dépasse une limite de votre compte ou de votre banque. Votre banque peut vous ' +
      'renseigner.',
    SUSPECTED_FRAUD:
      'Votre banque a arrêté le paiement pour vous protéger. Adressez-vous à votre banque.',
    INSTITUTION_UNAVAILABLE: 'Votre banque n’a pas répondu.',
    NETWORK_REJECTED: 'Le réseau de virements n’a pas accepté votre paiement.',
    NETWORK_TIMEOUT:
      'Votre banque n’a pas terminé à temps. Si votre argent arrive malgré tout, nous préparons ' +
      'votre commande et cette page l’indique.',
    LINK_EXPIRED: 'Votre paiement n’est pas arrivé à temps.',
    CANCELLED_BY_MERCHANT: 'Nous avons annulé ce paiement, pour que vous ne payiez pas par erreur.',
  },
  refusals,
  frame: {
    skip: 'Aller au contenu',
    noticeLabel: 'Avis',
    notice: 'Une démonstration\u00a0: aucun argent réel n’est transféré, et rien n’est expédié.',
    shop: 'Boutique',
    basket: 'Panier',
    items: (count) => (count === 1 ? 'article' : 'articles'),
    windowLabel: 'Fenêtre de paiement',
    developers: 'Pour les développeurs.',
    developersText:
      'Cette boutique utilise l’environnement de production, sur un réseau de virements simulé. ' +
      'Dans l’environnement d’essai, le nom du payeur décide de l’issue d’un paiement.',
    sandbox: 'Ouvrir la documentation de l’environnement d’essai',
    orderData: 'Derrière le comptoir\u00a0: les webhooks de cette commande',
  },
  paymentWindow: {
    creating: 'La fenêtre de paiement s’ouvre…',
    paying: 'Payez dans la fenêtre qui s’est ouverte. Cette page se met à jour d’elle-même.',
    closed:
      'La fenêtre de paiement est fermée, et aucun paiement ne nous est encore parvenu. Si vous ' +
      'l’avez confirmé, cette page l’indiquera dans un instant.',
    over: '',
    leaving: 'Vous allez à la page de paiement…',
    failed: 'La page de paiement n’a pas pu s’ouvrir. Rien n’a été payé\u00a0; réessayez.',
    show: 'Montrer la fenêtre',
    reopen: 'Rouvrir la fenêtre',
    check: 'Vérifier de nouveau',
  },
  catalogue: {
    title: 'Du café, et ce qu’il lui faut',
    welcome:
      'Torréfié le mardi, en petites quantités. Venez chercher votre commande à notre comptoir, ' +
      'tous les jours dès huit heures.',
    add: 'Ajouter',
    toTheBasket: (name) => `${name} au panier`,
    added: (name) => `${name}\u00a0: ajouté au panier.`,
    goToBasket: 'Voir le panier',
  },
  basket: {
    title: 'Votre panier',
    empty: 'Votre panier est vide',
    emptyText: 'Rien dedans pour l’instant. C’est facile à corriger.',
    toTheShop: 'Voir nos produits',
    unpaid: (number) =>
      `La commande ${number} n’est pas encore payée. Vous pouvez toujours la payer. Si vous ` +
      'changez votre panier et commandez de nouveau, la nouvelle commande la remplace.',
    toTheOrder: (number) => `Voir la commande ${number}`,
    sum: 'Sommaire',
    goods: 'Articles',
    pickup: 'Retrait au comptoir',
    free: 'Gratuit',
    toPay: 'À payer',
    checkOut: 'Commander',
    quantity: 'Quantité',
    takeOut: '0 (retirer)',
    change: 'Changer',
    theQuantityOf: (name) => `la quantité de ${name}`,
  },
  checkout: {
    title: 'Commander',
    faultyTitle: 'Erreur\u00a0: commander',
    lookAgain: 'Veuillez vérifier ce qui suit',
    error: 'Erreur\u00a0: ',
    who: 'Pour qui\u00a0?',
    name: 'Votre nom',
    email: 'Adresse courriel',
    mobileNumber: 'Numéro de cellulaire',
    mobileNumberHint: 'Au lieu d’une adresse courriel, ou en plus.',
    tender: 'Comment voulez-vous payer\u00a0?',
    eTransfer: 'Virement électronique de votre banque',
    eTransferText:
      'Une page de paiement s’ouvre\u00a0: vous y choisissez votre banque, ouvrez une session et ' +
      'confirmez.',
    atPickup: 'Au comptoir',
    atPickupText: 'Nous gardons votre commande une semaine. Payez en venant la chercher.',
    placeOrder: (total) => `Passer la commande\u00a0: ${total}`,
    yourOrder: 'Votre commande',
    changeBasket: 'Modifier le panier',
  },
  faults: {
    nameMissing: 'Entrez votre nom.',
    nameTooLong: 'Votre nom peut avoir 100 caractères au plus.',
    nameForbidden: 'Utilisez seulement des lettres, des espaces et de la ponctuation pour le nom.',
    contactMissing: 'Entrez votre adresse courriel, ou un numéro de cellulaire ci-dessous.',
    emailFormat: 'Entrez une adresse courriel comme nom@exemple.com.',
    mobileNumberFormat: 'Entrez un numéro de cellulaire de 10 à 15 chiffres.',
    tenderMissing: 'Choisissez comment payer.',
  },
  order: {
    name: (number) => `Commande ${number}`,
    title: (number, heading) => `Commande ${number}\u00a0: ${heading}`,
    message: (number, goods) => `Commande ${number}\u00a0: ${goods}`,
    pay: (total) => `Payer\u00a0: ${total}`,
    goToPayment: (total) => `Aller au paiement\u00a0: ${total}`,
    tryAgain: (total) => `Réessayer\u00a0: ${total}`,
    newPayment: (total) => `Commencer un nouveau paiement\u00a0: ${total}`,
    steps: ['Commandée', 'Payée', 'Confirmée'],
    done: 'terminé',
    toDo: 'à venir',
    goods: 'Ce que vous avez commandé',
    sum: 'Total',
    customer: (name) => `Pour ${name}`,
    receipt: (institution) => `Payée avec ${institution}, référence `,
    refunded: 'Remboursé',
    refundedOf: (refunded, paid) => `${refunded} sur ${paid}`,
    notCurrent:
      'Le service de paiement ne répond pas en ce moment\u00a0: voici ce que nous savions en ' +
      'dernier. Rien n’est perdu.',
  },
  staff: {
    title: 'Personnel\u00a0: dernières commandes',
    none: 'Aucune commande pour l’instant.',
    states: {
      paid: 'Payée',
      unpaid: 'Non payée',
      returned: 'Argent repris\u00a0: ne pas remettre, appeler le client',
    },
    refunded: 'Remboursé',
    onlyTitle: 'Réservé au personnel de la boutique',
    onlyText:
      'Ouvrez d’abord le lien du personnel dans ce navigateur. Le démarrage de la boutique ' +
      'l’affiche.',
  },
  refunds: {
    title: (number) => `Rembourser la commande ${number}`,
    faultyTitle: (number) => `Erreur\u00a0: rembourser la commande ${number}`,
    returned: 'Argent repris\u00a0: ne pas remettre la commande. Appelez le client.',
    unavailable:
      'Le service de paiement ne répond pas en ce moment\u00a0: rien ne peut être remboursé. ' +
      'Rechargez cette page dans un instant.',
    nothingPaid: 'Aucun paiement n’est arrivé pour cette commande. Il n’y a rien à rendre.',
    payment: (attempt) => `Paiement nº\u00a0${attempt}`,
    received: 'Reçu',
    refunded: 'Remboursé',
    takenBack: 'Repris par la banque',
    available: 'Disponible',
    giveBack: 'Rendre de l’argent',
    amount: 'Montant',
    amountHint: (available) => `Au plus ${available}. Une partie suffit.`,
    reason: 'Motif',
    reasons: {
      REQUESTED_BY_CUSTOMER: 'Demande du client',
      DUPLICATE: 'Payé deux fois',
      FRAUDULENT: 'Fraude',
      OTHER: 'Autre motif',
    },
    message: 'Message (facultatif)',
    messageHint: 'Paraît sur le relevé bancaire du client, si la banque le transmet.',
    submit: 'Rembourser ce montant',
    soFar: 'Remboursements jusqu’ici',
    none: 'Aucun pour l’instant.',
    statuses: {
      ASKED:
        'La réponse n’est pas arrivée. Envoyez de nouveau\u00a0: l’argent n’est rendu qu’une fois.',
      REFUSED: 'Refusé, aucun argent transféré.',
      CREATED: 'Demandé. L’argent n’est pas encore parti.',
      PROCESSING: 'La banque s’en occupe.',
      COMPLETED: 'Rendu.',
      FAILED: 'Échoué\u00a0: le montant est de nouveau disponible.',
    },
    sendAgain: 'Envoyer de nouveau',
    toTheOrder: 'La page du client pour cette commande',
    toTheOrders: 'Les dernières commandes',
  },
  refundFaults: {
    amountFormat: 'Entrez un montant supérieur à zéro, comme 10,00.',
    reasonMissing: 'Choisissez un motif.',
    messageTooLong: 'Le message peut avoir 140 caractères au plus.',
    messageForbidden: 'Utilisez seulement des lettres, des chiffres et de la ponctuation.',
  },
  messages: {
    notFound: 'Il n’y a rien ici',
    notFoundText: 'L’adresse est peut-être mal écrite, ou la page n’existe plus.',
    toTheShop: 'Aller à la boutique',
    unavailable: 'Le service de paiement ne répond pas',
    unavailableText:
      'Votre commande est gardée, et rien n’a été payé. Veuillez réessayer dans un instant.',
    toTheOrder: 'Retour à votre commande',
  },
  developers: {
    title: (number) => `Derrière le comptoir\u00a0: commande ${number}`,
    lead:
      'Pour les développeurs\u00a0: les données de la boutique sur cette commande, et d’où elles ' +
      'viennent.',
    payment: 'Demande de paiement',
    none: 'pas encore',
    status: 'Statut lu auprès du service',
    reason: 'Motif lu auprès du service',
    released: 'Confirmée par un webhook',
    notYet: 'pas encore',
    state: 'État de la commande',
    webhooks: 'Webhooks',
    noWebhooks: 'Aucun pour l’instant.',
    outcomes: {
      RELEASED: 'commande confirmée',
      NOTED: 'noté, rien n’est confirmé',
      PAID_AGAIN: 'payée une deuxième fois\u00a0: une personne rend l’argent',
      AMOUNT_DIFFERS: 'un autre montant que celui de la commande\u00a0: une personne vérifie',
      RETURNED: 'l’argent a été repris\u00a0: ne pas remettre la commande',
      REFUND_NOTED: 'remboursement noté, rien n’est confirmé',
      UNKNOWN: 'ne concerne aucune de nos commandes',
    },
    repeats: (times) => `reçu ${times} fois, répétitions ignorées`,
    toTheOrder: 'Retour à la page du client',
  },
};
