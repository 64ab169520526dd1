import { fields, list, text, type Shape } from "../shapes/shape.ts";

export interface Dependencies {
  readonly jars?: readonly string[];
  readonly files?: readonly string[];
  readonly pyFiles?: readonly string[];
  readonly packages?: readonly string[];
  readonly excludePackages?: readonly string[];
  readonly repositories?: readonly string[];
  readonly archives?: readonly string[];
}

export const DEPENDENCIES: Shape<Dependencies> = fields<Dependencies>({
  jars: list(text()),
  files: list(text()),
  pyFiles: list(text()),
  packages: list(text()),
  excludePackages: list(text()),
  repositories: list(text()),
  archives: list(text()),
});
