import { createServer, Packet } from 'dns2';

/** The addresses of a name; what DNS says instead of them; or nothing at all. */
export type DnsAnswer = readonly string[] | 'NXDOMAIN' | 'SERVFAIL' | 'SILENCE';
export type DnsZone = (name: string, family: 4 | 6) => DnsAnswer;

export interface DnsServer {
  /** The address in the form that WEBHOOK_RESOLVERS takes. */
  readonly address: string;
  readonly questions: string[];
  close(): Promise<void>;
}

/** The texts of a name, or the hosts that take its mails. */
export type OtherRecords = (name: string, type: 'TXT' | 'MX') => readonly string[];

/** A real DNS server on loopback, answering A and AAAA from `zone`, TXT and MX from `others`. */
export async function startDnsServer(
  zone: DnsZone,
  others: OtherRecords = () => [],
): Promise<DnsServer> {
  const questions: string[] = [];
  const server = createServer({
    udp: true,
    handle(request, send) {
      const [question] = request.questions;
      if (!question) return;
      if (question.type === Packet.TYPE.TXT || question.type === Packet.TYPE.MX) {
        const isText = question.type === Packet.TYPE.TXT;
        const response = Packet.createResponseFromRequest(request);
        for (const value of others(question.name, isText ? 'TXT' : 'MX')) {
          const data = isText
            ? { data: value.match(/.{1,255}/g) }
            : { exchange: value, priority: 10 };
          response.answers.push({ ...question, ttl: 0, ...data } as (typeof response.answers)[0]);
        }
        return void send(response);
      }
      const family = question.type === Packet.TYPE.AAAA ? 6 : 4;
      questions.push(`${question.name} ${family}`);
      const answer = zone(question.name, family);
      if (answer === 'SILENCE') return;
      const response = Packet.createResponseFromRequest(request);
      if (typeof answer === 'string') response.header.rcode = Packet.RCODE[answer];
      else {
        for (const address of answer) {
          response.answers.push({ ...question, ttl: 0, address } as (typeof response.answers)[0]);
        }
      }
      void send(response);
    },
  });
  await server.listen({ udp: { port: 0, address: '127.0.0.1' } });
  const { port } = server.addresses().udp as { port: number };
  return {
    address: `127.0.0.1:${port}`,
    questions,
    close: async () => void (await server.close()),
  };
}
