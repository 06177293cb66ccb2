/** Excel: an Office data connection over ODBC, for each relation. */
import { PROTOCOL } from './protocol.js'
import type { Connection, Relation, ToolFile } from './relation.js'
import { escaped } from './xml.js'

export const excelFiles = (connection: Connection): readonly ToolFile[] =>
  connection.relations.map((relation) => ({ name: `${relation.table}.odc`, content: connectionOf(relation, connection) }))

/** The largest number of rows of a first look; the statement can be changed in the properties of the connection. */
const ROWS = 1000

function connectionOf({ model, table }: Relation, { host, port, user, tls }: Connection): string {
  const parts = [
    `Driver={${PROTOCOL.odbc}}`,
    `Server=${host}`,
    `Port=${port}`,
    `Database=${model}`,
    `Uid=${user}`,
    `SSLmode=${tls ? 'require' : 'disable'}`,
  ]
  const quoted = [model, table].map((name) => `"${name.replaceAll('"', '""')}"`).join('.')
  return `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns="http://www.w3.org/TR/REC-html40">
<head>
<meta http-equiv=Content-Type content="text/x-ms-odc; charset=utf-8">
<meta name=ProgId content=ODC.Database>
<meta name=SourceType content=ODBC>
<title>${escaped(table)}</title>
<xml id=docprops></xml>
<xml id=msodc><odc:OfficeDataConnection xmlns:odc="urn:schemas-microsoft-com:office:odc" xmlns="http://www.w3.org/TR/REC-html40">
  <odc:Connection odc:Type="ODBC">
    <odc:ConnectionString>${escaped(parts.join(';'))}</odc:ConnectionString>
    <odc:CommandType>SQL</odc:CommandType>
    <odc:CommandText>${escaped(`SELECT * FROM ${quoted} LIMIT ${ROWS}`)}</odc:CommandText>
  </odc:Connection>
</odc:OfficeDataConnection></xml>
</head>
</html>
`
}
