const ID = /mer_[0-9a-f]{24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const HEADLINE = /<p class="headline">.*?data-status="([A-Z]+)"/s;
const DELIVERY = /data-status="([A-Z]+)".*?\/deliveries\/([^/"]+)\/redeliver"/s;

/** A delivery with a button to send it again. */
export interface ShownDelivery {
  readonly id: string;
  readonly status: string;
}

/** Every id in a page, once. */
export function readIds(html: string): string[] {
  return [...new Set(html.match(ID))];
}

/** The status of a payment request's page; undefined: it is another page. */
export function readStatus(html: string): string | undefined {
  return HEADLINE.exec(html)?.[1];
}

export function readDeliveries(html: string): ShownDelivery[] {
  const items = html.split('<li>').map((item) => DELIVERY.exec(item));
  return items.flatMap((found) => {
    const [, status, id] = found ?? [];
    return status !== undefined && id !== undefined ? [{ id, status }] : [];
  });
}

/** The value of a hidden field; an empty text: the page has no such field. */
export function readHidden(html: string, name: string): string {
  return new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? '';
}
