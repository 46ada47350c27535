/** What an answer over HTTPS tells a browser: for a year, nothing of this host without it (contract, section 1). */
export const STRICT_TRANSPORT = 'max-age=31536000; includeSubDomains';
