export default {
  dialect: 'postgresql',
  schema: './drizzle/postgres.ts',
  out: './drizzle/migrations/postgres',
  casing: 'snake_case',
};
