const LARGEST_BYTES = 33_554_432;
export async function readText(response) {
    const reader = response.body?.getReader();
    if (!reader)
        return response.text();
    const decoder = new TextDecoder();
    let text = '';
    let bytes = 0;
    for (;;) {
        const { done, value } = await reader.read();
        if (done)
            return text + decoder.decode();
        bytes += value.byteLength;
        if (bytes > LARGEST_BYTES) {
            await reader.cancel().catch(() => { });
            return '';
        }
        text += decoder.decode(value, { stream: true });
    }
}
