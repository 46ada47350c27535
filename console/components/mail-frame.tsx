/** A mail's HTML as a mail program shows it, in a frame that runs, sends and loads nothing. */
export function MailFrame({ src, title }: { src: string; title: string }) {
  return <iframe class="mail" sandbox="" src={src} title={title} loading="lazy"></iframe>;
}
