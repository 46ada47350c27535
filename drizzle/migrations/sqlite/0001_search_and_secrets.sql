-- Substring search on services: an index of trigrams that reads its text from the table itself.
CREATE VIRTUAL TABLE service_search USING fts5(search_text, content = 'services', content_rowid = 'number', tokenize = 'trigram case_sensitive 1');--> statement-breakpoint
CREATE TRIGGER services_search_insert AFTER INSERT ON services BEGIN
  INSERT INTO service_search (rowid, search_text) VALUES (new.number, new.search_text);
END;--> statement-breakpoint
CREATE TRIGGER services_search_update AFTER UPDATE OF search_text ON services WHEN old.search_text <> new.search_text BEGIN
  INSERT INTO service_search (service_search, rowid, search_text) VALUES ('delete', old.number, old.search_text);
  INSERT INTO service_search (rowid, search_text) VALUES (new.number, new.search_text);
END;--> statement-breakpoint
CREATE TRIGGER services_search_delete AFTER DELETE ON services BEGIN
  INSERT INTO service_search (service_search, rowid, search_text) VALUES ('delete', old.number, old.search_text);
END;--> statement-breakpoint
-- What signs the ids of simulated requests: made once, shared by every instance on this database.
INSERT INTO settings (name, value) VALUES ('sandbox_secret', lower(hex(randomblob(32))));--> statement-breakpoint
INSERT INTO sequences (name, next_value) VALUES ('service_number', 1000001);
