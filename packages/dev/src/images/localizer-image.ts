import { basename } from "node:path";
import type { DescribedImages } from "./described-images.ts";
import { parseImageReference } from "./image-reference.ts";

const FOLDER = "/opt/kindling";

/**
 * The localizer's image, with any tag: the init container that brings files into pods.
 *
 * @param script the localizer as one file for Node
 * @param node the program that runs it
 */
export function localizerImage(script: string, node: string): DescribedImages {
  const program = `${FOLDER}/${basename(script)}`;
  return {
    resolve(reference) {
      if (parseImageReference(reference)?.repository !== "kindling/localizer") return Promise.resolve(undefined);
      return Promise.resolve({
        id: `local-localizer:${script}`,
        mounts: [
          { source: node, target: `${FOLDER}/node` },
          { source: script, target: program },
        ],
        files: [],
        // The init container has little memory, and uses it for buffers outside of this heap.
        entrypoint: [`${FOLDER}/node`, "--max-old-space-size=64", program],
        command: [],
        environment: {},
        workingDirectory: "/tmp",
        user: undefined,
      });
    },
    describe: () => Promise.resolve([`kindling/localizer:* (${script})`]),
  };
}
