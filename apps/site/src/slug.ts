/**
 * The anchor of a heading in GitHub's form, so that a link to it works there and on the site. If two headings are the same,
 * the second gets `-1`; the code that makes the anchors of a page does this.
 */
export function slug(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}
