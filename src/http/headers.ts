/** `Strict-Transport-Security` of answers over HTTPS: one year, subdomains included (contract, section 1). */
export const STRICT_TRANSPORT = 'max-age=31536000; includeSubDomains';
