import { ELEMENTS, type ElementShape } from '../../src/tasks/template/shape.ts';

// schema/task.xsd, for editors. XSD 1.0 can't say what depends on the operator; the parser and the JSON schema do.
export function writeXsd(): string {
  const types = Object.entries(ELEMENTS).map(([name, shape]) => typeOf(name, shape));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!-- Made from src/tasks/template/shape.ts: npm run schema -->',
    '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">',
    '  <xs:element name="task" type="task"/>',
    '  <xs:simpleType name="filled">',
    '    <xs:restriction base="xs:string"><xs:pattern value="[\\s\\S]*\\S[\\s\\S]*"/></xs:restriction>',
    '  </xs:simpleType>',
    ...types,
    '</xs:schema>',
    '',
  ].join('\n');
}

function typeOf(name: string, shape: ElementShape): string {
  const about = `    <xs:annotation><xs:documentation>${escaped(shape.about)}</xs:documentation></xs:annotation>`;
  if (Array.isArray(shape.text)) {
    return [`  <xs:simpleType name="${name}">`, about, enumeration(shape.text, '    '), '  </xs:simpleType>'].join(
      '\n',
    );
  }
  const attributes = Object.entries(shape.attributes).map(([attribute, { about, required, choices, range }]) => {
    const use = required ? ' use="required"' : '';
    const doc = `<xs:annotation><xs:documentation>${escaped(about)}</xs:documentation></xs:annotation>`;
    const kind = choices
      ? `<xs:simpleType>${enumeration(choices, '')}</xs:simpleType>`
      : range
        ? `<xs:simpleType><xs:restriction base="xs:integer"><xs:minInclusive value="${range[0]}"/><xs:maxInclusive value="${range[1]}"/></xs:restriction></xs:simpleType>`
        : '<xs:simpleType><xs:restriction base="filled"/></xs:simpleType>';
    return `<xs:attribute name="${attribute}"${use}>${doc}${kind}</xs:attribute>`;
  });
  if (shape.text === 'free') {
    const base = shape.mayBeEmpty ? 'xs:string' : 'filled';
    const content = `    <xs:simpleContent><xs:extension base="${base}">${attributes.join('')}</xs:extension></xs:simpleContent>`;
    return [`  <xs:complexType name="${name}">`, about, content, '  </xs:complexType>'].join('\n');
  }
  return [
    `  <xs:complexType name="${name}">`,
    about,
    ...children(name, shape),
    ...attributes.map((attribute) => `    ${attribute}`),
    '  </xs:complexType>',
  ].join('\n');
}

function children(name: string, shape: ElementShape): string[] {
  if (shape.children.length === 0) return [];
  if (shape.many) {
    if (shape.children.length > 1) {
      const choices = shape.children.map((child) => `<xs:element name="${child}" type="${child}"/>`).join('');
      return [`    <xs:choice minOccurs="${shape.mayBeEmpty ? 0 : 1}" maxOccurs="unbounded">${choices}</xs:choice>`];
    }
    const [child] = shape.children;
    return [
      `    <xs:sequence><xs:element name="${child}" type="${child}"${shape.mayBeEmpty ? ' minOccurs="0"' : ''} maxOccurs="unbounded"/></xs:sequence>`,
    ];
  }
  const required = (child: string) =>
    (name === 'task' && child === 'description') || (name === 'context_management' && child === 'inherit_context');
  return [
    '    <xs:all>',
    ...shape.children.map(
      (child) => `      <xs:element name="${child}" type="${child}"${required(child) ? '' : ' minOccurs="0"'}/>`,
    ),
    '    </xs:all>',
  ];
}

function enumeration(values: readonly string[], indent: string): string {
  const choices = values.map((value) => `<xs:enumeration value="${value}"/>`).join('');
  return `${indent}<xs:restriction base="xs:token">${choices}</xs:restriction>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
