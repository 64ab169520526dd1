import { quotedName } from "@kindling/core-spec";
import { lostMounts } from "./changes/volumes.ts";
import { DRIVER_CONTAINER, EXECUTOR_CONTAINER } from "../pods/spark-names.ts";
import type { RoleFields } from "./role-fields.ts";

/** Notices about a role's fields whose pods can still be made, one sentence each. */
export function roleNotices(given: RoleFields): string[] {
  return [...lostMounts(given), ...commandNotice(given)];
}

/** Spark gives its container arguments and no command, so a command of the template stays. */
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
