/**
 * How the service's processes are run. Half of V8's usual size for what is young: under load a
 * process then takes some 60 MB less, and answers as many calls a second (bench/README.md).
 */
export const NODE_FLAGS = ['--max-semi-space-size=8'];
