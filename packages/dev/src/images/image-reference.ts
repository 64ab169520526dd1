/** The parts of an image's name, with the defaults filled in. */
export interface ImageReference {
  /** The registry's host, optionally with a port; `docker.io` if the name has none. */
  readonly registry: string;
  /** `apache/spark`, or `library/spark` if the name has only one part. */
  readonly repository: string;
  readonly tag: string | undefined;
  readonly digest: string | undefined;
}

const PATH_PART = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const REFERENCE = new RegExp(
  `^(?<path>${PATH_PART}(?:/${PATH_PART})*)(?::(?<tag>[\\w][\\w.-]{0,127}))?(?:@(?<digest>[a-z0-9+._-]+:[0-9a-f]{32,}))?$`,
);

/**
 * Reads an image's name, with the grammar of the reference package of the distribution project.
 *
 * @returns undefined if the text is no name of an image
 */
export function parseImageReference(text: string): ImageReference | undefined {
  const slash = text.indexOf("/");
  const first = slash < 0 ? "" : text.slice(0, slash);
  const hasRegistry = /[.:]/.test(first) || first === "localhost";
  const { path, tag, digest } = REFERENCE.exec(hasRegistry ? text.slice(slash + 1) : text)?.groups ?? {};
  if (path === undefined || (hasRegistry && !/^[A-Za-z0-9.-]+(:\d+)?$/.test(first))) return undefined;
  const registry = !hasRegistry || first === "index.docker.io" ? "docker.io" : first;
  const repository = registry === "docker.io" && !path.includes("/") ? `library/${path}` : path;
  return { registry, repository, tag, digest };
}
