import { ImagePullError, type ImageSource } from "@kindling/devcluster";
import { type DescribedImages, describeImages } from "./described-images.ts";

/**
 * The end of a list of sources: refuses every image, and says which ones exist.
 *
 * @param hint what the user can do, such as where to register images
 */
export function noOtherImages(sources: readonly DescribedImages[], hint: string): ImageSource {
  return {
    async resolve(reference) {
      const there = await describeImages(sources);
      const list = there.length === 0 ? "there are none" : `there are ${there.join(", ")}`;
      throw new ImagePullError("ErrImagePull", `there is no image ${reference} on this machine; ${list}; ${hint}`);
    },
  };
}
