import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: './drizzle/postgres.ts',
  out: './drizzle/migrations/postgres',
  casing: 'snake_case',
});
