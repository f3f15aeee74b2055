/** Sent by the page with every request; the cookie alone opens nothing. */
export const TOKEN_HEADER = 'x-bearings-token';
