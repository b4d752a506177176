import { snippetNamed } from './guide-snippets.ts';

/** The programs of the guide to take real money, in a folder and at a listener of a test. */
export function bankPrograms(folder: string, opsUrl: string) {
  const here = (name: string) =>
    snippetNamed(name)
      .replaceAll('/var/lib/payreq-bank', folder)
      .replaceAll('/etc/payreq-bank', folder)
      .replaceAll('http://127.0.0.1:4011', opsUrl);
  const commands = snippetNamed('bank-tokens.sh').trim().split('\n');
  const install = `cd ${folder}\n${here('bank-program-folders.sh')}`;
  return {
    install: install.replaceAll(' -o payreq-bank', ''),
    /** The words of each command; a word in quotes is one. */
    tokens: commands.map((command) =>
      (command.match(/"[^"]*"|\S+/g) ?? []).slice(1).map((word) => word.replaceAll('"', '')),
    ),
    upload: here('bank-upload.sh'),
    send: here('bank-send.sh'),
  };
}
