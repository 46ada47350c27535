/** An email's HTML in a frame without scripts, forms and network. */
export function MailFrame({ src, title }: { src: string; title: string }) {
  return <iframe class="mail" sandbox="" src={src} title={title} loading="lazy"></iframe>;
}
