// SQLite's text index. `<table>_fts` says which rows hold a word, `<table>_words` which words there are, and a trigram
// index over those finds the words that contain a part. There are far fewer words than rows, so a part of a word is
// found in a fraction of the time and room that trigrams of every row take (docs/decisions/0015-search.md).

/**
 * Words are told apart by spaces alone: `search_text` has no other white space and no control characters
 * (core/fold.ts).
 */
const TOKENCHARS = `!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~`
const quoted = (text: string): string => text.replaceAll("'", "''")
const TOKENIZE = quoted(`ascii tokenchars '${quoted(TOKENCHARS)}'`)

/** The words of a text as rows. JSON escapes never contain a space. */
const wordsOf = (text: string): string =>
  `select w.value from json_each('[' || replace(json_quote(${text}), ' ', '","') || ']') w where w.value <> ''`

const addWords = (table: string) => `insert into ${table}_fts (rowid, search_text) values (new.rid, new.search_text);
  insert into ${table}_words (word) ${wordsOf('new.search_text')} on conflict do nothing;`

/** A word that no row holds any more goes too: it may have been somebody's name. */
const removeWords = (
  table: string,
  words: string,
) => `insert into ${table}_fts (${table}_fts, rowid, search_text) values ('delete', old.rid, old.search_text);
  delete from ${table}_words where word in (${words})
    and not exists (select 1 from ${table}_fts
    where ${table}_fts match '"' || replace(${table}_words.word, '"', '""') || '"');`

/** Looks only for words that the text does not hold any more: each costs more than to store the whole text. */
const changeWords = (table: string) => `create trigger ${table}_fts_update after update of search_text on ${table}
when old.search_text <> new.search_text begin
  ${removeWords(table, `${wordsOf('old.search_text')} except ${wordsOf('new.search_text')}`)}
  ${addWords(table)}
end;`

/** For an index that was made before its trigger told words that stay from those that go. */
export const renewSqliteWords = (table: string): string => `drop trigger ${table}_fts_update;
${changeWords(table)}`

/**
 * SQLite merges so many pages of an index at once, in the midst of whatever is written: of its own size they take as
 * long as many rows.
 */
const PAGE_BYTES = 1000

export const smallSqlitePages = (table: string): string =>
  [`${table}_fts`, `${table}_words_fts`]
    .map((index) => `insert into ${index} (${index}, rank) values ('pgsz', ${PAGE_BYTES});`)
    .join('\n')

export const sqliteSearchIndex = (table: string): string => `create virtual table ${table}_fts using fts5 (
  search_text, content = '${table}', content_rowid = 'rid', columnsize = 0, detail = none, tokenize = '${TOKENIZE}');
create table ${table}_words (id integer primary key, word text not null unique);
create virtual table ${table}_words_fts using fts5 (
  word, content = '${table}_words', content_rowid = 'id', columnsize = 0, tokenize = 'trigram case_sensitive 1');
create trigger ${table}_words_insert after insert on ${table}_words begin
  insert into ${table}_words_fts (rowid, word) values (new.id, new.word);
end;
create trigger ${table}_words_delete after delete on ${table}_words begin
  insert into ${table}_words_fts (${table}_words_fts, rowid, word) values ('delete', old.id, old.word);
end;
create trigger ${table}_fts_insert after insert on ${table} begin
  ${addWords(table)}
end;
create trigger ${table}_fts_delete after delete on ${table} begin
  ${removeWords(table, wordsOf('old.search_text'))}
end;
${changeWords(table)}
${smallSqlitePages(table)}`

export const dropSqliteSearchIndex = (table: string): string => `drop trigger if exists ${table}_fts_insert;
drop trigger if exists ${table}_fts_delete;
drop trigger if exists ${table}_fts_update;
drop table if exists ${table}_fts;
drop table if exists ${table}_words;
drop table if exists ${table}_words_fts;`

/** Fills the empty index of a table in one go. */
export const fillSqliteSearchIndex = (table: string): string[] => [
  `insert into ${table}_fts (${table}_fts) values ('rebuild')`,
  `create virtual table temp.vocabulary using fts5vocab (main, ${table}_fts, row)`,
  `insert into ${table}_words (word) select v.term from temp.vocabulary v where true on conflict do nothing`,
  'drop table temp.vocabulary',
]
