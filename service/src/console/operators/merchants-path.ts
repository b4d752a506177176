/** The path of the pages about merchants, below `/console`. */
export const MERCHANTS_PATH = '/operator/merchants';
