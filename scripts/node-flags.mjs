/**
 * How the service's processes are run. V8 lets its heap grow by the machine's memory, and collects
 * late where there is much: 300 MB under load of which 60 were in use. A process needs less than
 * 200 MB with all its places taken, each with the largest body; with 512 it stays near what it uses.
 */
export const NODE_FLAGS = ['--max-old-space-size=512'];
