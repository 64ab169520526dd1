/** Custom resource definitions, in the notation of `parse-schema.ts`. */
export const customResourceDefinitionTypes = `
package io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1
CustomResourceDefinition
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  spec!: CustomResourceDefinitionSpec #2
  status?: CustomResourceDefinitionStatus #3
CustomResourceDefinitionSpec
  group!: string #1
  names!: CustomResourceDefinitionNames #3
  scope!: string #4
  versions!: []CustomResourceDefinitionVersion @atomic #7
  conversion?: *any #9
  preserveUnknownFields?: bool #10
CustomResourceDefinitionNames
  plural!: string #1
  singular?: string #2
  shortNames?: []string @atomic #3
  kind!: string #4
  listKind?: string #5
  categories?: []string @atomic #6
CustomResourceDefinitionVersion
  name!: string #1
  served!: bool #2
  storage!: bool #3
  deprecated?: bool #7
  deprecationWarning?: *string #8
  schema?: *CustomResourceValidation #4
  subresources?: *CustomResourceSubresources #5
  additionalPrinterColumns?: []CustomResourceColumnDefinition @atomic #6
  selectableFields?: []any @atomic #9
CustomResourceValidation
  openAPIV3Schema?: *JSONSchemaProps #1
JSONSchemaProps
  id?: string #1
  $schema?: string #2
  $ref?: *string #3
  description?: string #4
  type?: string #5
  format?: string #6
  title?: string #7
  default?: *any #8
  maximum?: *float64 #9
  exclusiveMaximum?: bool #10
  minimum?: *float64 #11
  exclusiveMinimum?: bool #12
  maxLength?: *int64 #13
  minLength?: *int64 #14
  pattern?: string #15
  maxItems?: *int64 #16
  minItems?: *int64 #17
  uniqueItems?: bool #18
  multipleOf?: *float64 #19
  enum?: []any @atomic #20
  maxProperties?: *int64 #21
  minProperties?: *int64 #22
  required?: []string @atomic #23
  items?: *JSONSchemaProps|[] #24
  allOf?: []JSONSchemaProps @atomic #25
  oneOf?: []JSONSchemaProps @atomic #26
  anyOf?: []JSONSchemaProps @atomic #27
  not?: *JSONSchemaProps #28
  properties?: {}JSONSchemaProps #29
  additionalProperties?: *JSONSchemaProps|bool #30
  patternProperties?: {}JSONSchemaProps #31
  dependencies?: {}JSONSchemaProps|[]string #32
  additionalItems?: *JSONSchemaProps|bool #33
  definitions?: {}JSONSchemaProps #34
  externalDocs?: *any #35
  example?: *any #36
  nullable?: bool #37
  x-kubernetes-preserve-unknown-fields?: *bool #38
  x-kubernetes-embedded-resource?: bool #39
  x-kubernetes-int-or-string?: bool #40
  x-kubernetes-list-map-keys?: []string @atomic #41
  x-kubernetes-list-type?: *string #42
  x-kubernetes-map-type?: *string #43
  x-kubernetes-validations?: []ValidationRule @map(rule) ^rule #44
ValidationRule
  rule!: string #1
  message?: string #2
  messageExpression?: string #3
  reason?: *string #4
  fieldPath?: string #5
  optionalOldSelf?: *bool #6
CustomResourceSubresources
  status?: *CustomResourceSubresourceStatus #1
  scale?: *any #2
CustomResourceSubresourceStatus
CustomResourceColumnDefinition
  name!: string #1
  type!: string #2
  format?: string #3
  description?: string #4
  priority?: int32 #5
  jsonPath!: string #6
CustomResourceDefinitionStatus
  conditions: []CustomResourceDefinitionCondition @map(type) #1
  acceptedNames: CustomResourceDefinitionNames #2
  storedVersions: []string @atomic #3
CustomResourceDefinitionCondition
  type!: string #1
  status!: string #2
  lastTransitionTime?: Time #3
  reason?: string #4
  message?: string #5
`;
