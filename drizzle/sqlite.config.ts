import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: './drizzle/sqlite.ts',
  out: './drizzle/migrations/sqlite',
  casing: 'snake_case',
});
