// Loaded before a spawned service: a request with the header x-plant throws an error that no code
// catches, in a later turn of the event loop.
import { OutgoingMessage } from 'node:http';

const end = OutgoingMessage.prototype.end;

/** A fault of one stream, and a fault of the code. */
const PLANTED = {
  stream: () => Object.assign(new Error('planted'), { code: 'ERR_STREAM_WRITE_AFTER_END' }),
  code: () => new TypeError('planted'),
  rejection: () => new TypeError('planted'),
};

OutgoingMessage.prototype.end = function (...args) {
  const planted = this.req?.headers['x-plant'];
  const make = PLANTED[planted];
  if (!make) return end.apply(this, args);
  if (planted === 'rejection') void Promise.reject(make());
  else
    setImmediate(() => {
      throw make();
    });
  return this;
};
