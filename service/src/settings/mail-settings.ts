import { readHost } from './read-addresses.ts';
import {
  readDkimKey,
  readDomain,
  readMailSender,
  readRecipients,
  readSelector,
  readSmtpUrl,
} from './read-smtp-url.ts';
import { absolutePath, wholeNumber } from './read-values.ts';
import { optionalSetting, setting } from './setting.ts';

/** The e-mails that the highest MAIL_RATE sends in an hour. */
export const MOST_IN_AN_HOUR = 3_600_000;

/** Settings of e-mail: to payers, and to merchants about their money (messages §5). */
export const MAIL_SETTINGS = {
  MAIL_SMTP_URL: setting({
    meaning:
      'the mail server for messages to payers and notices to merchants, as ' +
      'smtps://user:password@host or smtp://host:587, which needs STARTTLS elsewhere than on ' +
      'this machine, unless it ends in ?requireTLS=false; default: no e-mail is sent, and ' +
      'operators learn of merchants’ notices instead',
    fallback: '',
    secret: true,
    read: readSmtpUrl,
  }),
  MAIL_FROM: setting({
    meaning: 'the sender of all e-mail, an e-mail address; needed by MAIL_SMTP_URL',
    fallback: '',
    read: readMailSender,
  }),
  MAIL_DKIM_KEY: optionalSetting({
    meaning: 'the private key that signs e-mail (DKIM), in PEM; default: the mail server signs',
    secret: true,
    read: readDkimKey,
  }),
  MAIL_DKIM_SELECTOR: optionalSetting({
    meaning: 'the selector of MAIL_DKIM_KEY in the DNS',
    read: readSelector,
  }),
  MAIL_RATE: setting({
    meaning: 'the messages to payers that are sent in a second, in all processes',
    // Mail servers begin to put senders off above some ten a second.
    fallback: '10',
    read: wholeNumber(1, 1_000),
  }),
  MAIL_HOURLY_LIMIT: setting({
    meaning: 'the e-mails that a merchant may send payers in an hour; operators change it for one',
    // A shop with 5,000 orders a day stays below it; stolen credentials reach few people.
    fallback: '500',
    read: wholeNumber(1, MOST_IN_AN_HOUR),
  }),
  SMS_HOURLY_LIMIT: setting({
    meaning: 'the SMS that a merchant may send payers in an hour; operators change it for one',
    // Each one costs money.
    fallback: '100',
    read: wholeNumber(1, MOST_IN_AN_HOUR),
  }),
  MAIL_BOUNCE_DOMAIN: optionalSetting({
    meaning:
      'the domain to which mail servers return messages to payers; needs MAIL_BOUNCE_DIR or ' +
      'MAIL_BOUNCE_PORT to learn of them; default: they come back to MAIL_FROM',
    read: readDomain,
  }),
  MAIL_BOUNCE_DIR: optionalSetting({
    meaning: 'a maildir with the mails to MAIL_BOUNCE_DOMAIN, which are read and deleted',
    read: absolutePath,
  }),
  MAIL_BOUNCE_PORT: setting({
    meaning: 'the port on which mails to MAIL_BOUNCE_DOMAIN are taken over SMTP; 0: none',
    fallback: '0',
    read: wholeNumber(0, 65_535),
  }),
  MAIL_BOUNCE_HOST: setting({
    meaning: 'the address at which MAIL_BOUNCE_PORT listens',
    // A mail server of the deployment hands the mails on.
    fallback: '127.0.0.1',
    read: readHost,
  }),
  MAIL_SANDBOX_RECIPIENTS: setting({
    meaning: 'addresses that get real e-mail from a sandbox, separated by commas',
    fallback: '',
    read: readRecipients,
  }),
};
