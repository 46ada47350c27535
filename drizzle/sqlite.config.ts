export default {
  dialect: 'sqlite',
  schema: './drizzle/sqlite.ts',
  out: './drizzle/migrations/sqlite',
  casing: 'snake_case',
};
