/**
 * The anchor of a heading, as GitHub makes it, so that a link to it works there and on the site alike. Of headings that
 * are the same the second gets `-1`; whoever makes the anchors of a page sees to that.
 */
export function slug(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}
