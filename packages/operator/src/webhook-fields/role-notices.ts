import { quotedName } from "@kindling/core-spec";
import { lostMounts } from "./changes/volumes.ts";
import { DRIVER_CONTAINER, EXECUTOR_CONTAINER } from "../names/spark-names.ts";
import type { RoleFields } from "./role-fields.ts";

/** What is worth knowing of a role's fields though its pods can be made, a sentence each. */
export function roleNotices(given: RoleFields): string[] {
  return [...lostMounts(given), ...commandNotice(given)];
}

/** Spark gives its container arguments and no command, so that one of the template stays. */
function commandNotice({ role, fields }: RoleFields): string[] {
  const containers = fields.template?.spec?.containers ?? [];
  const usual = role === "driver" ? DRIVER_CONTAINER : EXECUTOR_CONTAINER;
  const { command = [], name = "" } = containers.find((container) => container.name === usual) ?? containers[0] ?? {};
  if (command.length === 0) return [];
  const called = name === "" ? "" : ` of container ${quotedName(name)}`;
  return [
    `spec.${role}.template: the command${called} takes the place of the image's entry point, which starts Spark: leave it out, unless it starts Spark itself`,
  ];
}
