import type { ImageSource } from "@kindling/devcluster";

/** A source of images that can describe its images. */
export interface DescribedImages extends ImageSource {
  /** One line for each image or kind of images, such as `apache/spark:4.3.0 (/opt/spark)`; never rejected. */
  describe(): Promise<readonly string[]>;
}

/** The images of all sources, for people: one line for each image. */
export async function describeImages(sources: readonly DescribedImages[]): Promise<readonly string[]> {
  return (await Promise.all(sources.map((source) => source.describe()))).flat();
}
