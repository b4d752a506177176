/** A page of a list has 100 entries of 64 KiB at most; five times as much is no answer. */
const LARGEST_BYTES = 33_554_432;

/**
 * Reads the body of an answer as text. A larger body, as of a broken proxy, ends its connection and
 * counts as empty: it must not fill the memory of the caller.
 */
export async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return response.text();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > LARGEST_BYTES) {
      await reader.cancel().catch(() => {});
      return '';
    }
    text += decoder.decode(value, { stream: true });
  }
}
