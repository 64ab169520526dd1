import { expect, test } from "vitest";
import { flagsOf, parseMountInfo } from "../../../../src/runtime/process/host/mount-flags.ts";

const TEXT = `22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
23 22 0:21 / /proc rw,nosuid,nodev,noexec,relatime shared:12 - proc proc rw
24 22 8:2 / /home rw,nosuid,nodev shared:2 - ext4 /dev/sda2 rw
25 24 8:3 / /home/with\\040space rw,noexec - ext4 /dev/sda3 rw
26 22 0:40 / /home rw,nodev - tmpfs tmpfs rw
`;

test.each([
  ["/usr/bin", []],
  ["/proc/self", ["nosuid", "nodev", "noexec"]],
  ["/home", ["nodev"]],
  ["/homes", []],
  ["/home/with space/folder", ["noexec"]],
  ["/home/with spaces", ["nodev"]],
])("%s lies in a mount with the flags %j", (path, flags) => {
  expect(flagsOf(parseMountInfo(TEXT), path)).toEqual(flags);
});
