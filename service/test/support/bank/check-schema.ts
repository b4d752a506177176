import { readFileSync } from 'node:fs';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';

/** Throws with the first fault unless the document is valid by the XML schema in the file. */
export function checkSchema(document: Buffer, schema: URL): void {
  using xsd = XmlDocument.fromBuffer(readFileSync(schema));
  using validator = XsdValidator.fromDoc(xsd);
  using xml = XmlDocument.fromBuffer(document);
  validator.validate(xml);
}
