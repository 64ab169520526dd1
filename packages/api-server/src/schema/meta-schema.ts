import { metaTypes } from "./meta-types.ts";
import { parseSchema } from "./parse-schema.ts";
import { type StructType, structOf } from "./types.ts";

const META = parseSchema([metaTypes]);

/** `meta/v1` ObjectMeta. */
export const objectMetaType: StructType = structOf(META, "ObjectMeta");

/** `meta/v1` DeleteOptions. */
export const deleteOptionsType: StructType = structOf(META, "DeleteOptions");
