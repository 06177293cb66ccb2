/** Pages of Markdown that are made from schemas and tables. */

/** One row of a table. */
export function row(...cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

export function page(title: string, ...lines: string[]): string {
  return `# ${title}\n\n${lines.join('\n')}\n`
}
