import type { Container, Pod } from "@kindling/core-spec";

/** The place of Spark's container in a template: that of this name, or else the first. */
export function sparkContainerAt(containers: readonly Partial<Container>[], name: string): number {
  return Math.max(
    0,
    containers.findIndex((container) => container.name === name),
  );
}

/** The image of Spark's container in a template; undefined if it names none. */
export function templateImage(template: Pod | undefined, name: string): string | undefined {
  const containers = template?.spec?.containers ?? [];
  const image = containers[sparkContainerAt(containers, name)]?.image;
  return image === "" ? undefined : image;
}
