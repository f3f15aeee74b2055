// Stands in the binary for the SDK's own shims, which would load a whole JSON Schema validator at every start. The SDK
// uses it only on answers to forms, and ours have no fields: any answer fits.
export class DefaultJsonSchemaValidator {
  getValidator() {
    return (input: unknown) => ({ valid: true as const, data: input, errorMessage: undefined });
  }
}

export { default as process } from 'node:process';
