/**
 * An image for containers that are local processes: folders of this machine that the container sees in the places where the
 * real image has them, and how its process is started.
 */
export interface ProcessImage {
  /** Distinguishes images, also with the same name; shown as the container's image id. */
  readonly id: string;
  /** Folders and files of this machine, at absolute paths in the container. The container cannot write to them. */
  readonly mounts: readonly ImageMount[];
  /** Small files made for the container, such as its entry point. */
  readonly files: readonly ImageFile[];
  /** Started when the container has no `command`, followed by its `args`. */
  readonly entrypoint: readonly string[];
  /** Follows the entry point when the container has neither `command` nor `args`. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** An absolute path, created if it does not exist. Used when the container has no `workingDir`. */
  readonly workingDirectory: string;
  /** The user of the image, used when neither pod nor container name one. Undefined: the user that runs the cluster. */
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
}

export interface ImageMount {
  /** An absolute path of this machine. */
  readonly source: string;
  /** An absolute path in the container. */
  readonly target: string;
}

export interface ImageFile {
  /** An absolute path in the container. */
  readonly path: string;
  readonly content: string;
  /** Permission bits, such as 0o755. */
  readonly mode: number;
}

/** Where images come from: asked one after another until one knows the name. */
export interface ImageSource {
  /**
   * @param reference an image as a pod names it, such as `apache/spark:4.3.0`
   * @returns undefined if this source does not know the name
   * @throws ImagePullError if it knows the name but cannot provide the image; the message says what is missing
   */
  resolve(reference: string, signal: AbortSignal): Promise<ProcessImage | undefined>;
}
