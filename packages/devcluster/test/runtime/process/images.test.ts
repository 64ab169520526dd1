import { systemClock } from "@kindling/outside";
import { expect, test } from "vitest";
import type { Container } from "../../../src/objects/pod.ts";
import { ImagePullError } from "../../../src/runtime/runtime.ts";
import { Images } from "../../../src/runtime/process/images.ts";
import type { ImageSource, ProcessImage } from "../../../src/runtime/process/process-image.ts";

const IMAGE: ProcessImage = {
  id: "it@1",
  mounts: [],
  files: [],
  entrypoint: [],
  command: [],
  environment: {},
  workingDirectory: "/",
  user: undefined,
};

const { signal } = new AbortController();

function source(name: string, resolve: () => Promise<ProcessImage>): ImageSource {
  return { resolve: async (reference) => (reference === name ? await resolve() : undefined) };
}

function imagesOf(...sources: ImageSource[]): Images {
  return new Images(sources, systemClock);
}

function container(image: string, imagePullPolicy: string = "IfNotPresent"): Container {
  return { name: "main", image, imagePullPolicy } as Container;
}

test("the first source that knows a name counts, and the next time the image is there", async () => {
  const other = { ...IMAGE, id: "other@1" };
  const images = imagesOf(
    source("it", () => Promise.resolve(IMAGE)),
    source("it", () => Promise.resolve(other)),
  );
  const first = await images.pull(container("it"), signal);
  expect(first).toMatchObject({ imageId: "it@1", name: "it", present: false });
  expect(images.imageOf(first)).toBe(IMAGE);
  expect(await images.pull(container("it"), signal)).toMatchObject({ present: true });
});

test("a name that nobody knows is not found", async () => {
  await expect(imagesOf().pull(container("none:1"), signal)).rejects.toMatchObject({
    reason: "ErrImagePull",
    message: expect.stringMatching(/^failed to pull and unpack image "none:1": not found/) as string,
  });
});

test("an image that must not be pulled must be there", async () => {
  const images = imagesOf(source("it", () => Promise.resolve(IMAGE)));
  const never = container("it", "Never");
  await expect(images.pull(never, signal)).rejects.toMatchObject({ reason: "ErrImageNeverPull" });
  await images.pull(container("it"), signal);
  expect(await images.pull(never, signal)).toMatchObject({ present: true });
});

test("what goes wrong in a source is told as it is, and is a failed pull in any case", async () => {
  const known = new ImagePullError("ErrImagePull", "Java is missing");
  const images = imagesOf(
    source("known", () => Promise.reject(known)),
    source("broken", () => Promise.reject(new Error("EACCES: permission denied"))),
  );
  await expect(images.pull(container("known"), signal)).rejects.toBe(known);
  await expect(images.pull(container("broken"), signal)).rejects.toMatchObject({
    name: "ImagePullError",
    message: 'failed to pull and unpack image "broken": EACCES: permission denied',
  });
});
