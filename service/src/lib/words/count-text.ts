/** `1 username`, `2 usernames`; a plural that does not end in `s` is given. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
