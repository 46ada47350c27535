-- A database of release 1.1.0 (commit d7861338), written by it, with data in every table. Not to be changed.
CREATE TABLE schema_migrations (made_at bigint primary key, hash text);
INSERT INTO schema_migrations VALUES(1795460187685,'1dbb4f121e14a39224cfb19e6a818c19da33b824f9937ae168d1150d5df6a9e9');
INSERT INTO schema_migrations VALUES(1795504105680,'2219e9defe7b95ad661f748e8a0b248e21ede3e8d1f8c39fba473bc44e21e8ec');
INSERT INTO schema_migrations VALUES(1795505167292,'4addb294526b2e1f0a6ba7b5959983a91c7893073c5f1c1a99b98a98566e819f');
INSERT INTO schema_migrations VALUES(1795505168105,'fb4f3f606e44984658f1bb376e58a6600fb530a7379455f81e78f2ac888643dc');
INSERT INTO schema_migrations VALUES(1795505168949,'276bbaafd18e88243d1b9a7e41b50e952d54fab2db4bf4debb94bc3d871fa139');
INSERT INTO schema_migrations VALUES(1795604747532,'88dffb9defc03f1b77eef6fbf946a03c03d8b5ce91a1a0a9cb3807214a16cc54');
INSERT INTO schema_migrations VALUES(1795604748532,'6e82dcf8601cb8a635b9dced80dea44b45600414a690a571836eeb1c2ca2725a');
INSERT INTO schema_migrations VALUES(1795637169184,'6a1328dc00d3e6095ffa9c5105cea5043506c30462ff7d303a57e3c33bfb05b4');
INSERT INTO schema_migrations VALUES(1795637169185,'d4de03a92b48fb012befc148058788a10cbbcb73214d43f1e787060a124531dc');
INSERT INTO schema_migrations VALUES(1795642364319,'3d729aeb00b3c6d5a04cc8e86a6628f62e3c87750fd4c550b88dbea862e00f98');
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`broker_id` text NOT NULL,
	`public_id` text NOT NULL,
	`hash` text NOT NULL,
	`mode` text NOT NULL,
	`name` text NOT NULL,
	`scopes` text NOT NULL,
	`status` text NOT NULL,
	`rate_limit` integer,
	`expires_at` integer,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`last_used_ip` text,
	`rotated_from_id` text,
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action
);
INSERT INTO api_keys VALUES('key_01M895GQ7EN5K5N1DJBEY8Z06C','brk_01G7H9JPYDG6JFF0Z4976SK0DX','DemoLive','511a8663f538f75387f41a2b8f61dfe88124b4a1578ce73fc1652254cadd8c2e','live','Demo key (admin:full)','["admin:full"]','active',NULL,NULL,1787828110574,1795604339940,'127.0.0.1',NULL);
INSERT INTO api_keys VALUES('key_01M895GQ7FAGCQQNX7ZB1CCKAP','brk_01G7H9JPYDG6JFF0Z4976SK0DX','DemoTest','10fa0edce9844dbbc50a1cf9aa5e56fcfc55e9d7f75a80f1512f9749ec4c4324','test','Demo key (admin:full)','["admin:full"]','active',NULL,NULL,1787828110575,1795604070000,'192.0.2.11',NULL);
INSERT INTO api_keys VALUES('key_01M895GQ7FAGCQQNX7ZB1CCKAQ','brk_01G7H9JPYDG6JFF0Z4976SK0DX','DemoNone','16d6ee9f32dff4cb12c6f28c8e7ad0c86bcec82baf1fa4bc08bb42f887d0d006','test','Demo key (no scopes)','[]','active',NULL,NULL,1787828110575,NULL,NULL,NULL);
INSERT INTO api_keys VALUES('key_01M895GQ7GM917AREAQ2VJXXR8','brk_01G7H9JPYDG6JFF0Z4976SK0DX','DemoPast','81bee996f2f89e8d8f92f2dda712121bbecc1f78c5091ca245740e40a9f371d3','test','Demo key (expired)','["admin:full"]','active',NULL,1795517710285,1787828110576,NULL,NULL,NULL);
INSERT INTO api_keys VALUES('key_01M895GQ7GM917AREAQ2VJXXR9','brk_01G7H9JPYDG6JFF0Z4976SK0DX','DemoGone','69dc37ce761d45d0d4f2302d245b9a7854ce8994443a2d665d0fa211a9c2491b','test','Demo key (revoked)','["admin:full"]','revoked',NULL,NULL,1787828110576,NULL,NULL,NULL);
INSERT INTO api_keys VALUES('key_01M895GQ84KCZXB7ZFG5QBZA2S','brk_01G7H9JPYDQ4YTMFX0THEJ0TX4','DemoOthr','0f73e9b381fc50e8ac10b2fe6e77340215a5257145517c4a8256af6e3717aaef','live','Demo key (admin:full)','["admin:full"]','active',NULL,NULL,1787828110596,1795604098571,'203.0.113.20',NULL);
CREATE TABLE `audit_trail` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`actor_kind` text NOT NULL,
	`actor` text NOT NULL,
	`client_ip` text,
	`action` text NOT NULL,
	`broker_id` text,
	`subject` text NOT NULL,
	`before` text,
	`after` text
);
INSERT INTO audit_trail VALUES('aud_01M85YGT6DTY11H9ZXJNM7X5BF',1795496110285,'operator','operator@example.com','127.0.0.1','plan.set','brk_01G7H9JPYDG6JFF0Z4976SK0DX','plan/classic','{"active":true}','{"active":false}');
INSERT INTO audit_trail VALUES('aud_01M86PHVJDEJEEZXGYS0E7DW9R',1795521310285,'operator','operator@example.com','127.0.0.1','firewall.allow','brk_01G7H9JPYDQ4YTMFX0THEJ0TX4','broker/demo-other',NULL,'{"rule":"203.0.113.0/24","note":"Shop servers"}');
INSERT INTO audit_trail VALUES('aud_01M87ZR72D3QED4PQFQGAAQXFC',1795564510285,'operator','operator@example.com','127.0.0.1','service.set','brk_01G7H9JPYDG6JFF0Z4976SK0DX','service/1000025','{"requires_operator_review":false}','{"requires_operator_review":true}');
INSERT INTO audit_trail VALUES('aud_01M88GXH6DFDV9P61YBRGGJ5ZN',1795582510285,'operator','operator@example.com','127.0.0.1','email.settle','brk_01G7H9JPYDG6JFF0Z4976SK0DX','email/eml_01M876JHTDNJWDN5127Y326RTJ','{"email_status":"unknown"}','{"email_status":"sent"}');
INSERT INTO audit_trail VALUES('aud_01M895GR8A0JGYTBQ4PPACN7MH',1795604111626,'command','ada',NULL,'demo.create','brk_01G7H9JPYDG6JFF0Z4976SK0DX','broker/demo',NULL,NULL);
INSERT INTO audit_trail VALUES('aud_01M895GR8A0JGYTBQ4PPACN7MJ',1795604111626,'command','ada',NULL,'demo.create','brk_01G7H9JPYDQ4YTMFX0THEJ0TX4','broker/demo-other',NULL,NULL);
INSERT INTO audit_trail VALUES('aud_01M895JYF1V797XK6C7N86TX7W',1795604183521,'command','ada',NULL,'service.import','brk_01G7H9JPYDG6JFF0Z4976SK0DX','broker/demo',NULL,'{"file":"s.json","sha256":"b6809568c0a1f757853a4c711dea924891bae38ebea974004f2c422750e55477","imported":3,"created":3,"updated":0,"completed_date":"2026-11-25T10:56:23.552Z"}');
INSERT INTO audit_trail VALUES('aud_01M895K3FYRW5R340Z0PZ20G72',1795604188670,'command','ada',NULL,'plan.create','brk_01G7H9JPYDG6JFF0Z4976SK0DX','plan/istanbul',NULL,'{"id":"pln_01M895K3FN6AM93E92HD56KCZ0","slug":"istanbul","display_name":"İstanbul","upgrade_rank":99,"billing_type":"monthly","description":null,"specifications":null,"price":null,"requires_operator_review":false,"active":true,"created_date":"2026-11-25T10:56:28.661Z"}');
INSERT INTO audit_trail VALUES('aud_01M895K3G5NC7A6RN6VBV29HNT',1795604188677,'command','ada',NULL,'plan.import','brk_01G7H9JPYDG6JFF0Z4976SK0DX','broker/demo',NULL,'{"file":"p.json","sha256":"0df6f30aa9de60eb923d060bcebefc2b4c9e3e2c2c631a53bb969f768dc60bb7","imported":1,"created":1,"updated":0,"completed_date":"2026-11-25T10:56:28.677Z"}');
INSERT INTO audit_trail VALUES('aud_01M895K6HBCWFA9J9MCJZV7CRR',1795604191787,'command','ada',NULL,'operator.add',NULL,'operator/eve@example.com',NULL,'{"operator_id":"opr_01M895K6GJ5PFYD0BAGXSKNYJZ","email":"eve@example.com","name":"Eve","role":"admin","active":true,"created_date":"2026-11-25T10:56:31.762Z","last_sign_in_date":null}');
INSERT INTO audit_trail VALUES('aud_01M895KCDBTTBGGD20WSY4WJJT',1795604197803,'command','ada',NULL,'firewall.allow','brk_01G7H9JPYDG6JFF0Z4976SK0DX','broker/demo',NULL,'{"rule":"192.0.2.0/24","note":null}');
INSERT INTO audit_trail VALUES('aud_01M895N75AFPQR58FA45FG4CN6',1795604257962,'command','ada',NULL,'operator.link',NULL,'operator/operator@example.com',NULL,NULL);
INSERT INTO audit_trail VALUES('aud_01M895N7M3R72X6Q0WFFSYKXFZ',1795604258435,'api_key','key_01M895GQ7EN5K5N1DJBEY8Z06C','127.0.0.1','service.create','brk_01G7H9JPYDG6JFF0Z4976SK0DX','service/1000026',NULL,'{"plan":"starter","label":null,"external_reference":null,"request_id":"req_01M895N7M3R72X6Q0WFFSYKXFX"}');
INSERT INTO audit_trail VALUES('aud_01M895N7RX0KH9C424RZ2PEFPW',1795604258589,'api_key','key_01M895GQ7EN5K5N1DJBEY8Z06C','127.0.0.1','service.create','brk_01G7H9JPYDG6JFF0Z4976SK0DX','service/1000027',NULL,'{"plan":"starter","label":null,"external_reference":null,"request_id":"req_01M895N7RX0KH9C424RZ2PEFPT"}');
INSERT INTO audit_trail VALUES('aud_01M895N7WVEZR5WHHW1538NYXD',1795604258715,'api_key','key_01M895GQ7EN5K5N1DJBEY8Z06C','127.0.0.1','service.create','brk_01G7H9JPYDG6JFF0Z4976SK0DX','service/1000028',NULL,'{"plan":"starter","label":null,"external_reference":null,"request_id":"req_01M895N7WVEZR5WHHW1538NYXB"}');
INSERT INTO audit_trail VALUES('aud_01M895N836FHFTA8MZZPEH7YNV',1795604258918,'api_key','key_01M895GQ7EN5K5N1DJBEY8Z06C','127.0.0.1','service.create','brk_01G7H9JPYDG6JFF0Z4976SK0DX','service/1000029',NULL,'{"plan":"starter","label":null,"external_reference":null,"request_id":"req_01M895N836FHFTA8MZZPEH7YNS"}');
INSERT INTO audit_trail VALUES('aud_01M895N8AZGKACN8FB5VB5WHNB',1795604259167,'api_key','key_01M895GQ7EN5K5N1DJBEY8Z06C','127.0.0.1','service.create','brk_01G7H9JPYDG6JFF0Z4976SK0DX','service/1000030',NULL,'{"plan":"starter","label":null,"external_reference":null,"request_id":"req_01M895N8AZGKACN8FB5VB5WHN9"}');
INSERT INTO audit_trail VALUES('aud_01M895N9A9RE70BZJ214904R7T',1795604260169,'api_key','key_01M895GQ7EN5K5N1DJBEY8Z06C','127.0.0.1','service.create','brk_01G7H9JPYDG6JFF0Z4976SK0DX','service/1000031',NULL,'{"plan":"starter","label":null,"external_reference":null,"request_id":"req_01M895N9A9RE70BZJ214904R7R"}');
INSERT INTO audit_trail VALUES('aud_01M895P4R74B2BADYTFKHMC45Q',1795604288263,'command','ada',NULL,'operator.link',NULL,'operator/operator@example.com',NULL,NULL);
INSERT INTO audit_trail VALUES('aud_01M895P5GYNYC07RKMZZBS88KZ',1795604289054,'api_key','key_01M895GQ7EN5K5N1DJBEY8Z06C','127.0.0.1','service.create','brk_01G7H9JPYDG6JFF0Z4976SK0DX','service/1000032',NULL,'{"plan":"starter","label":null,"external_reference":null,"request_id":"req_01M895P5GYNYC07RKMZZBS88KX"}');
INSERT INTO audit_trail VALUES('aud_01M895P5VR7F7FZTX7HB1KWTA6',1795604289400,'api_key','key_01M895GQ7EN5K5N1DJBEY8Z06C','127.0.0.1','service.suspend','brk_01G7H9JPYDG6JFF0Z4976SK0DX','service/1000027',NULL,'{"request_id":"req_01M895P5VR7F7FZTX7HB1KWTA4","request_status":"accepted"}');
INSERT INTO audit_trail VALUES('aud_01M895P61YDBWJZ7ZGJJASSJ40',1795604289598,'api_key','key_01M895GQ7EN5K5N1DJBEY8Z06C','127.0.0.1','service.cancel','brk_01G7H9JPYDG6JFF0Z4976SK0DX','service/1000028',NULL,'{"request_id":"req_01M895P61YDBWJZ7ZGJJASSJ3Y","cancellation_type":"immediate","effective_date":"2026-11-25T10:58:09.598Z"}');
INSERT INTO audit_trail VALUES('aud_01M895PM1DDJX93GQSN7F064YX',1795604303917,'command','ada',NULL,'operator.link',NULL,'operator/eve@example.com',NULL,NULL);
INSERT INTO audit_trail VALUES('aud_01M895PY8P9NP6V8F5QZP8CJKA',1795604314390,'command','ada',NULL,'operator.link',NULL,'operator/eve@example.com',NULL,NULL);
INSERT INTO audit_trail VALUES('aud_01M895QP8P045K1V8AW080G0CG',1795604338966,'command','ada',NULL,'operator.link',NULL,'operator/operator@example.com',NULL,NULL);
INSERT INTO audit_trail VALUES('aud_01M895QPWSZMWMJWCA0X2HR9JJ',1795604339609,'api_key','key_01M895GQ7EN5K5N1DJBEY8Z06C','127.0.0.1','service.warn','brk_01G7H9JPYDG6JFF0Z4976SK0DX','service/1000026',NULL,'{"email_id":"eml_01M895QPWSZMWMJWCA0X2HR9JH"}');
INSERT INTO audit_trail VALUES('aud_01M895QQ68BV2MXJR5YXS7QFPC',1795604339912,'api_key','key_01M895GQ7EN5K5N1DJBEY8Z06C','127.0.0.1','service.upgrade','brk_01G7H9JPYDG6JFF0Z4976SK0DX','service/1000026','{"plan":"starter"}','{"plan":"istanbul","request_id":"req_01M895QQ68BV2MXJR5YXS7QFPA","request_status":"accepted"}');
INSERT INTO audit_trail VALUES('aud_01M895R264K3WPH3RR3BD9D7BY',1795604351172,'command','ada',NULL,'operator.link',NULL,'operator/eve@example.com',NULL,NULL);
INSERT INTO audit_trail VALUES('aud_01M895RCWPY8M0GH3K9056JJBR',1795604362134,'command','ada',NULL,'service.set','brk_01G7H9JPYDG6JFF0Z4976SK0DX','service/1000029','{"service_status":"active","suspended_by":null}','{"service_status":"suspended","suspended_by":"operator","suspension_reason":"abuse"}');
INSERT INTO audit_trail VALUES('aud_01M895SP8GF2AKWMKYKBDB3RKQ',1795604404496,'command','ada',NULL,'operator.link',NULL,'operator/operator@example.com',NULL,NULL);
INSERT INTO audit_trail VALUES('aud_01M895T2206KDV43ZX01NHTRFP',1795604416576,'command','ada',NULL,'operator.link',NULL,'operator/eve@example.com',NULL,NULL);
INSERT INTO audit_trail VALUES('aud_01M895T2H82WS688JS9EBR0QV4',1795604417064,'operator','eve@example.com','127.0.0.1','operator.sign_in',NULL,'operator/eve@example.com',NULL,NULL);
INSERT INTO audit_trail VALUES('aud_01M8F4XQM8HYMVFJGHTFR3Z0MX',1795804814984,'command','ops',NULL,'database.finish_update',NULL,'database','{"oldest_release":"1.0.0"}','{"oldest_release":"1.1.0"}');
INSERT INTO audit_trail VALUES('aud_01M8F4Y90VR7NXZNXMM85YX4CR',1795804832795,'command','ops',NULL,'consumption.import','brk_01G7H9JPYDG6JFF0Z4976SK0DX','broker/demo',NULL,'{"file":"c.csv","sha256":"a35d398a5923bad9f4062c138e2ae717e38d0c435f0a252dc5e68a777c9365d1","imported":1,"created":1,"updated":0,"skipped":0,"completed_date":"2026-11-27T18:40:32.796Z"}');
INSERT INTO audit_trail VALUES('aud_01M8F4Z3CDFW7JCXHJB7DG5SP2',1795804859789,'command','ops',NULL,'plan.set','brk_01G7H9JPYDG6JFF0Z4976SK0DX','plan/starter','{"options":[],"actions":[],"has_credentials":false}','{"options":[{"name":"image","display_name":"Image","description":null,"type":"choice","required":false,"default":"debian-13","choices":[{"value":"debian-13","display_name":"Debian 13"}]},{"name":"hostname","display_name":"Host name","description":null,"type":"text","required":false,"default":null,"max_length":253,"format":"hostname"}],"actions":[{"name":"reboot","display_name":"Restart","description":null,"options":[],"requires_operator_review":false,"destroys_data":false}],"has_credentials":true}');
INSERT INTO audit_trail VALUES('aud_01M8F4Z5KE6768E4HNA1653B7F',1795804862062,'command','ops',NULL,'consumption.import','brk_01G7H9JPYDG6JFF0Z4976SK0DX','broker/demo',NULL,'{"file":"c.csv","sha256":"a35d398a5923bad9f4062c138e2ae717e38d0c435f0a252dc5e68a777c9365d1","imported":1,"created":0,"updated":1,"skipped":0,"completed_date":"2026-11-27T18:41:02.063Z"}');
INSERT INTO audit_trail VALUES('aud_01M8F4Z74GRCKFY47M0EM2PA5P',1795804863632,'command','ops',NULL,'ops_key.create',NULL,'ops_key/opk_01M8F4Z74DV2E7KWF2383B4ZJJ',NULL,'{"key_id":"opk_01M8F4Z74DV2E7KWF2383B4ZJJ","name":"billing system","key_prefix":"sk_ops_lMTJacWj","key_status":"active","role":"support","addresses":[],"created_date":"2026-11-27T18:41:03.629Z","expires_date":null,"last_used_date":null,"last_used_ip":null}');
INSERT INTO audit_trail VALUES('aud_01M8F4Z8TP3T4MW00HEEC16834',1795804865366,'command','ops',NULL,'service.import','brk_01G7H9JPYDG6JFF0Z4976SK0DX','broker/demo',NULL,'{"file":"s.csv","sha256":"5fb26b76201ac582bc6efeb80a3ce51f736fa2542ad21591575cdf1bffacfb22","imported":1,"created":0,"updated":1,"completed_date":"2026-11-27T18:41:05.385Z"}');
INSERT INTO audit_trail VALUES('aud_01M8F4ZAY7QBREZMDYD8SMZE3E',1795804867527,'command','ops',NULL,'service.action','brk_01G7H9JPYDG6JFF0Z4976SK0DX','service/1000001',NULL,'{"action":"reboot","request_id":"req_01M8F4ZAY7QBREZMDYD8SMZE3C","request_status":"accepted"}');
CREATE TABLE `brokers` (
	`id` text PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`contact_email` text NOT NULL,
	`sender_email` text NOT NULL,
	`ip_restriction_enabled` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`rate_limit` integer
);
INSERT INTO brokers VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','demo','Demo Hosting','active','office@demo-hosting.example.com','support@demo-hosting.example.com',0,1657364110285,1795604197759,NULL);
INSERT INTO brokers VALUES('brk_01G7H9JPYDQ4YTMFX0THEJ0TX4','demo-other','Other Hosting','active','office@other-hosting.example.net','support@other-hosting.example.net',0,1657364110285,1795521310285,NULL);
CREATE TABLE `calls` (
	`request_id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`broker_id` text NOT NULL,
	`key_id` text NOT NULL,
	`client_ip` text,
	`method` text NOT NULL,
	`operation` text NOT NULL,
	`service_number` integer,
	`status` integer NOT NULL,
	`code` text,
	`reason` text,
	`duration_us` integer NOT NULL
, `gate` integer);
INSERT INTO calls VALUES('3lJNR_Q8ONbo-8',1795604263373,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','key_01M895GQ7EN5K5N1DJBEY8Z06C','127.0.0.1','POST','warnCancellation',1000026,400,'missing_parameter',NULL,27709,NULL);
INSERT INTO calls VALUES('aeWWtViNZJWc-2',1795604289141,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','key_01M895GQ7EN5K5N1DJBEY8Z06C','127.0.0.1','POST','createService',NULL,201,NULL,NULL,267597,NULL);
INSERT INTO calls VALUES('aeWWtViNZJWc-3',1795604289279,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','key_01M895GQ7EN5K5N1DJBEY8Z06C','127.0.0.1','POST','upgradeService',1000026,400,'invalid_parameter','plan_not_available',68322,NULL);
INSERT INTO calls VALUES('aeWWtViNZJWc-4',1795604289420,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','key_01M895GQ7EN5K5N1DJBEY8Z06C','127.0.0.1','POST','suspendService',1000027,200,NULL,NULL,39145,NULL);
INSERT INTO calls VALUES('aeWWtViNZJWc-5',1795604289654,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','key_01M895GQ7EN5K5N1DJBEY8Z06C','127.0.0.1','POST','cancelService',1000028,200,NULL,NULL,126206,NULL);
INSERT INTO calls VALUES('aeWWtViNZJWc-6',1795604289831,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','key_01M895GQ7EN5K5N1DJBEY8Z06C','127.0.0.1','POST','unsuspendService',1000002,400,'invalid_state','service_not_suspended',58873,NULL);
INSERT INTO calls VALUES('YHFiyRDCxFch-2',1795604339796,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','key_01M895GQ7EN5K5N1DJBEY8Z06C','127.0.0.1','POST','warnCancellation',1000026,200,NULL,NULL,319267,NULL);
INSERT INTO calls VALUES('YHFiyRDCxFch-3',1795604339940,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','key_01M895GQ7EN5K5N1DJBEY8Z06C','127.0.0.1','POST','upgradeService',1000026,200,NULL,NULL,86338,NULL);
CREATE TABLE `console_links` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`operator_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`operator_id`) REFERENCES `operators`(`id`) ON UPDATE no action ON DELETE no action
);
INSERT INTO console_links VALUES('7373c5b1ce0862c36a53eacb656aa3314e1880bd0c52cb7fc893e8d4732c30b3','opr_01M895GQ8ADVK7J9R02EKW0SZE',1795604258045,1795605158045);
INSERT INTO console_links VALUES('ae838628e9e4da74aa065518516d6eaaa7bb8d3dffbecd9f8893109163e02bbe','opr_01M895GQ8ADVK7J9R02EKW0SZE',1795604288266,1795605188266);
INSERT INTO console_links VALUES('9f36e3623070026c30dcf38d7817c131529621ebd4b20273fcbc8ab0079ae1cc','opr_01M895K6GJ5PFYD0BAGXSKNYJZ',1795604303920,1795605203920);
INSERT INTO console_links VALUES('c72ca9084437d1ba798a4551b4243f002ad3b7b3c0c3739619eab877efdb8482','opr_01M895K6GJ5PFYD0BAGXSKNYJZ',1795604314393,1795605214393);
INSERT INTO console_links VALUES('9ec51c9be86f1e85ddeb1522dc869a63afe99184a50899aa9617b16af5735142','opr_01M895GQ8ADVK7J9R02EKW0SZE',1795604339041,1795605239041);
INSERT INTO console_links VALUES('03606b4f1403763b0cff8ed90282eb9723af5f6fe4cff7e75f8a5539de9c984f','opr_01M895K6GJ5PFYD0BAGXSKNYJZ',1795604351187,1795605251187);
INSERT INTO console_links VALUES('5b2e3f9519896c86b63285bc93a70b36db6a12771120b9fb525c508de7f1e585','opr_01M895GQ8ADVK7J9R02EKW0SZE',1795604404614,1795605304614);
INSERT INTO console_links VALUES('used dd63d9058b6c26e5fc29e26f3f16ff621cb58fbe4ec161a809e56701ece019b1','opr_01M895K6GJ5PFYD0BAGXSKNYJZ',1795604416582,1795605316582);
CREATE TABLE `console_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`operator_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ip` text,
	`user_agent` text,
	FOREIGN KEY (`operator_id`) REFERENCES `operators`(`id`) ON UPDATE no action ON DELETE no action
);
INSERT INTO console_sessions VALUES('ses_01M895T2GKP75NVZJBWKQWG5QG','aa9d819dd0a6d07eea6ef567bd3ff71bffe499b0ff38db590c05e75e667005a8','opr_01M895K6GJ5PFYD0BAGXSKNYJZ',1795604417043,1795604417043,1796209217043,'127.0.0.1','curl/7.88.1');
CREATE TABLE `counters` (
	`broker_id` text NOT NULL,
	`subject` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`slot` integer DEFAULT 0 NOT NULL,
	`value` integer NOT NULL,
	PRIMARY KEY(`broker_id`, `subject`, `kind`, `status`, `slot`)
);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','requests','cancellation','accepted',0,2);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','requests','cancellation','completed',0,1);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','requests','cancellation','pending',0,1);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','requests','cancellation-warning','approved',0,2);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','requests','plan-downgrade','accepted',0,1);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','requests','plan-downgrade','operator_review',0,1);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','requests','plan-upgrade','completed',0,1);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','requests','plan-upgrade','denied',0,2);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','requests','plan-upgrade','failed',0,1);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','requests','plan-upgrade','operator_review',0,2);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','requests','plan-upgrade','pending',0,1);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','requests','service-creation','completed',0,7);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','requests','service-suspension','completed',0,1);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','requests','service-unsuspension','completed',0,1);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','services','pln_01G7H9JPYD1NQDCYJMFD1GF6F7','active',0,1);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','services','pln_01G7H9JPYD4WQW658CD9TTKFNS','active',0,14);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','services','pln_01G7H9JPYD4WQW658CD9TTKFNS','cancelled',0,1);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','services','pln_01G7H9JPYD4WQW658CD9TTKFNS','suspended',0,2);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','services','pln_01G7H9JPYD4WQW658CD9TTKFNS','terminated',0,3);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','services','pln_01G7H9JPYD9ZSXF2TA7FCGKVR1','active',0,1);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','services','pln_01G7H9JPYD9ZSXF2TA7FCGKVR1','pending',0,1);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','services','pln_01G7H9JPYD9ZSXF2TA7FCGKVR1','suspended',0,1);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','services','pln_01G7H9JPYDCNR7D5BQ7296H9XR','active',0,1);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','services','pln_01G7H9JPYDCNR7D5BQ7296H9XR','terminated',0,1);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','services','pln_01G7H9JPYDSBEPE4HBHDAF0CGY','active',0,3);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','services','pln_01G7H9JPYDVW1TW0FHRY7Z058G','active',0,3);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','services','pln_01G7H9JPYDVW1TW0FHRY7Z058G','cancelled',0,1);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','services','pln_01G7H9JPYDVW1TW0FHRY7Z058G','pending',0,1);
INSERT INTO counters VALUES('brk_01G7H9JPYDQ4YTMFX0THEJ0TX4','services','pln_01G7H9JPYD9Y7NHNDDR4YMQDP6','active',0,1);
INSERT INTO counters VALUES('brk_01G7H9JPYDQ4YTMFX0THEJ0TX4','services','pln_01G7H9JPYD9Y7NHNDDR4YMQDP6','cancelled',0,1);
INSERT INTO counters VALUES('brk_01G7H9JPYDQ4YTMFX0THEJ0TX4','services','pln_01G7H9JPYDA7AM9FAQQQDD2MCW','active',0,1);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','requests','service-creation','accepted',0,1);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','services','pln_01G7H9JPYD4WQW658CD9TTKFNS','pending',0,1);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','requests','service-suspension','accepted',0,1);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','requests','plan-upgrade','accepted',0,1);
INSERT INTO counters VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','requests','service-action','accepted',0,1);
CREATE TABLE `email_log` (
	`id` text PRIMARY KEY NOT NULL,
	`broker_id` text NOT NULL,
	`kind` text NOT NULL,
	`service_number` integer,
	`request_id` text,
	`status` text NOT NULL,
	`recipient` text,
	`subject` text,
	`html` text,
	`text` text,
	`failure_reason` text,
	`provider_code` text,
	`provider_message_id` text,
	`created_at` integer NOT NULL,
	`completed_at` integer,
	`settled_at` integer,
	`settled_note` text,
	`erased_at` integer,
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action
);
INSERT INTO email_log VALUES('eml_01M86C88PD59KK39EK21CCVR8J','brk_01G7H9JPYDG6JFF0Z4976SK0DX','plan-change-completed',1000022,NULL,'sent','client-1000022@example.com','Your service 1000022 has a new plan','<p>Dear client</p>','Dear client',NULL,NULL,'demo-1000022',1795510510285,1795510510685,NULL,NULL,NULL);
INSERT INTO email_log VALUES('eml_01M86SZQ6D2H6KSYS9KWG4VJTC','brk_01G7H9JPYDG6JFF0Z4976SK0DX','cancellation-warning',1000001,NULL,'sent','client-1000001@example.com','Your service 1000001 is at risk of cancellation','<p>Dear client</p>','Dear client',NULL,NULL,'demo-1000001',1795524910285,1795524910685,NULL,NULL,NULL);
INSERT INTO email_log VALUES('eml_01M870VEED8PEQMQ4ST2SPGK21','brk_01G7H9JPYDG6JFF0Z4976SK0DX','service-created',1000024,NULL,'sent','client-1000024@example.com','Your new service 1000024 is ready','<p>Dear client</p>','Dear client',NULL,NULL,'demo-1000024',1795532110285,1795532110685,NULL,NULL,NULL);
INSERT INTO email_log VALUES('eml_01M876JHTDNJWDN5127Y326RTJ','brk_01G7H9JPYDG6JFF0Z4976SK0DX','cancellation-warning',1000024,NULL,'sent','client-1000024@example.com','Your service 1000024 is at risk of cancellation','<p>Dear client</p>','Dear client',NULL,NULL,NULL,1795538110285,NULL,1795582510285,'The client has answered it.',NULL);
INSERT INTO email_log VALUES('eml_01M87B51ADDRA3E9E09M7T7KTW','brk_01G7H9JPYDG6JFF0Z4976SK0DX','cancellation-warning',1000004,NULL,'sent','client-1000004@example.com','Your service 1000004 is at risk of cancellation','<p>Dear client</p>','Dear client',NULL,NULL,'demo-1000004',1795542910285,1795542910685,NULL,NULL,NULL);
INSERT INTO email_log VALUES('eml_01M87RWFTDN3R2TR0J9RJ9XA38','brk_01G7H9JPYDG6JFF0Z4976SK0DX','plan-change-completed',1000003,NULL,'sent','client-1000003@example.com','Your service 1000003 has a new plan','<p>Dear client</p>','Dear client',NULL,NULL,'demo-1000003',1795557310285,1795557310685,NULL,NULL,NULL);
INSERT INTO email_log VALUES('eml_01M886KYADAYWQAS2RD8BMZ469','brk_01G7H9JPYDG6JFF0Z4976SK0DX','cancellation-warning',1000023,NULL,'failed','client-1000023@example.com','Your service 1000023 is at risk of cancellation','<p>Dear client</p>','Dear client','rejected','406',NULL,1795571710285,1795571710685,NULL,NULL,NULL);
INSERT INTO email_log VALUES('eml_01M88DFNJDF4VN0VM5BPN3PS38','brk_01G7H9JPYDG6JFF0Z4976SK0DX','cancellation-warning',1000002,NULL,'sent','client-1000002@example.com','Your service 1000002 is at risk of cancellation','<p>Dear client</p>','Dear client',NULL,NULL,'demo-1000002',1795578910285,1795578910685,NULL,NULL,NULL);
INSERT INTO email_log VALUES('eml_01M88MBCTDV4RWP11ER92P3ZPV','brk_01G7H9JPYDG6JFF0Z4976SK0DX','plan-change-completed',1000025,NULL,'sent','client-1000025@example.com','Your service 1000025 has a new plan','<p>Dear client</p>','Dear client',NULL,NULL,'demo-1000025',1795586110285,1795586110685,NULL,NULL,NULL);
INSERT INTO email_log VALUES('eml_01M88TXZ3DQGSZGS0R2XJ01YVH','brk_01G7H9JPYDG6JFF0Z4976SK0DX','cancellation-warning',1000009,NULL,'unknown','client-1000009@example.com','Your service 1000009 is at risk of cancellation','<p>Dear client</p>','Dear client','outcome_unknown',NULL,NULL,1795593010285,NULL,NULL,NULL,NULL);
INSERT INTO email_log VALUES('eml_01M88WY1WDQ9848CH18B9FTC75','brk_01G7H9JPYDG6JFF0Z4976SK0DX','service-created',1000011,NULL,'sent','client-1000011@example.com','Your new service 1000011 is ready','<p>Dear client</p>','Dear client',NULL,NULL,'demo-1000011',1795595110285,1795595110685,NULL,NULL,NULL);
INSERT INTO email_log VALUES('eml_01M8902RHD176X5ZXRRW69BTEP','brk_01G7H9JPYDG6JFF0Z4976SK0DX','cancellation-warning',1000018,NULL,'failed','client-1000018@example.com','Your service 1000018 is at risk of cancellation','<p>Dear client</p>','Dear client','unreachable',NULL,NULL,1795598410285,1795598410685,NULL,NULL,NULL);
INSERT INTO email_log VALUES('eml_01M8937F6D8Z3APRXXV1K67246','brk_01G7H9JPYDG6JFF0Z4976SK0DX','cancellation-warning',1000017,NULL,'unknown','client-1000017@example.com','Your service 1000017 is at risk of cancellation','<p>Dear client</p>','Dear client','outcome_unknown',NULL,NULL,1795601710285,NULL,NULL,NULL,NULL);
INSERT INTO email_log VALUES('eml_01M894TQTD7F4XHAH2A9YSKV22','brk_01G7H9JPYDG6JFF0Z4976SK0DX','cancellation-warning',1000021,NULL,'sent','client-1000021@example.com','Your service 1000021 is at risk of cancellation','<p>Dear client</p>','Dear client',NULL,NULL,'demo-1000021',1795603390285,1795603390685,NULL,NULL,NULL);
INSERT INTO email_log VALUES('eml_01M895N8VCJC19Z1J9PV2WZVRZ','brk_01G7H9JPYDG6JFF0Z4976SK0DX','service-created',1000026,'req_01M895N7M3R72X6Q0WFFSYKXFX','sent','made1@example.com','Your new service 1000026 is ready','<p>Dear client</p>','Dear client',NULL,NULL,'20261125T105739.710Z-eml_01M895N8VCJC19Z1J9PV2WZVRZ.eml',1795604259692,1795604260662,NULL,NULL,NULL);
INSERT INTO email_log VALUES('eml_01M895N8VD8JYCC4JAQSDRH61K','brk_01G7H9JPYDG6JFF0Z4976SK0DX','service-created',1000027,'req_01M895N7RX0KH9C424RZ2PEFPT','sent','made2@example.com','Your new service 1000027 is ready','<p>Dear client</p>','Dear client',NULL,NULL,'20261125T105740.004Z-eml_01M895N8VD8JYCC4JAQSDRH61K.eml',1795604259693,1795604260668,NULL,NULL,NULL);
INSERT INTO email_log VALUES('eml_01M895N8VKYFQPQRF7NZJ9PF7B','brk_01G7H9JPYDG6JFF0Z4976SK0DX','service-created',1000028,'req_01M895N7WVEZR5WHHW1538NYXB','sent','made3@example.com','Your new service 1000028 is ready','<p>Dear client</p>','Dear client',NULL,NULL,'20261125T105740.004Z-eml_01M895N8VKYFQPQRF7NZJ9PF7B.eml',1795604259699,1795604260668,NULL,NULL,NULL);
INSERT INTO email_log VALUES('eml_01M895N8VKYFQPQRF7NZJ9PF7C','brk_01G7H9JPYDG6JFF0Z4976SK0DX','service-created',1000029,'req_01M895N836FHFTA8MZZPEH7YNS','sent','made4@example.com','Your new service 1000029 is ready','<p>Dear client</p>','Dear client',NULL,NULL,'20261125T105740.004Z-eml_01M895N8VKYFQPQRF7NZJ9PF7C.eml',1795604259699,1795604260668,NULL,NULL,NULL);
INSERT INTO email_log VALUES('eml_01M895N9F9NM8WJWEJF15GXND0','brk_01G7H9JPYDG6JFF0Z4976SK0DX','service-created',1000030,'req_01M895N8AZGKACN8FB5VB5WHN9','sent','made5@example.com','Your new service 1000030 is ready','<p>Dear client</p>','Dear client',NULL,NULL,'20261125T105740.371Z-eml_01M895N9F9NM8WJWEJF15GXND0.eml',1795604260329,1795604260670,NULL,NULL,NULL);
INSERT INTO email_log VALUES('eml_01M895N9NKFDHETFW2CSAMWKS4','brk_01G7H9JPYDG6JFF0Z4976SK0DX','service-created',1000031,'req_01M895N9A9RE70BZJ214904R7R','sent','made6@example.com','Your new service 1000031 is ready','<p>Dear client</p>','Dear client',NULL,NULL,'20261125T105740.543Z-eml_01M895N9NKFDHETFW2CSAMWKS4.eml',1795604260531,1795604260677,NULL,NULL,NULL);
INSERT INTO email_log VALUES('eml_01M895QPWSZMWMJWCA0X2HR9JH','brk_01G7H9JPYDG6JFF0Z4976SK0DX','cancellation-warning',1000026,'req_01M895QPWSZMWMJWCA0X2HR9JK','sent','made1@example.com','Your service 1000026 is at risk of cancellation','<p>Dear client</p>','Dear client',NULL,NULL,'20261125T105859.640Z-eml_01M895QPWSZMWMJWCA0X2HR9JH.eml',1795604339609,1795604339773,NULL,NULL,NULL);
CREATE TABLE `firewall_rules` (
	`id` text PRIMARY KEY NOT NULL,
	`broker_id` text NOT NULL,
	`rule` text NOT NULL,
	`note` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action
);
INSERT INTO firewall_rules VALUES('fwr_01M86PHVJDSZBEN4ZKY1WD55W9','brk_01G7H9JPYDQ4YTMFX0THEJ0TX4','203.0.113.0/24','Shop servers',1795521310285);
INSERT INTO firewall_rules VALUES('fwr_01M895KCC1XHF9KZ75G2CY36C3','brk_01G7H9JPYDG6JFF0Z4976SK0DX','192.0.2.0/24',NULL,1795604197761);
CREATE TABLE `idempotency_records` (
	`broker_id` text NOT NULL,
	`mode` text NOT NULL,
	`namespace` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`status_code` integer NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	PRIMARY KEY(`broker_id`, `mode`, `namespace`, `key`),
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action
);
INSERT INTO idempotency_records VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','live','creation','fixture-29758','c9016f97a4cb5c6738dc23f42fd56c67dca6927c2bbc11892b89b0fcf05a0c16',201,'{"success":true,"data":{"request_id":"req_01M895N7M3R72X6Q0WFFSYKXFX","type":"service-creation","request_status":"accepted","operator_review":false,"service_number":1000026,"origin":"broker","submitted_date":"2026-11-25T10:57:38.435Z","updated_date":"2026-11-25T10:57:38.435Z","processed_date":null,"decision":null,"failure":null,"is_final":false,"next_check_seconds":1,"service_status":"pending","new_plan":{"id":"pln_01G7H9JPYD4WQW658CD9TTKFNS","slug":"starter","display_name":"Starter","upgrade_rank":10,"billing_type":"monthly"}}}',1795604258433,NULL);
INSERT INTO idempotency_records VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','live','creation','fixture-3646','7bbe865932cacad9a656d4f8d8bf74e8028b61898b7c3b370eaa435c20bc5220',201,'{"success":true,"data":{"request_id":"req_01M895N7RX0KH9C424RZ2PEFPT","type":"service-creation","request_status":"accepted","operator_review":false,"service_number":1000027,"origin":"broker","submitted_date":"2026-11-25T10:57:38.589Z","updated_date":"2026-11-25T10:57:38.589Z","processed_date":null,"decision":null,"failure":null,"is_final":false,"next_check_seconds":1,"service_status":"pending","new_plan":{"id":"pln_01G7H9JPYD4WQW658CD9TTKFNS","slug":"starter","display_name":"Starter","upgrade_rank":10,"billing_type":"monthly"}}}',1795604258589,NULL);
INSERT INTO idempotency_records VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','live','creation','fixture-22088','1dfb753fb4e201bb102f624e8fec2858a6fc91d1ae6213d818d9a37bfc8f1726',201,'{"success":true,"data":{"request_id":"req_01M895N7WVEZR5WHHW1538NYXB","type":"service-creation","request_status":"accepted","operator_review":false,"service_number":1000028,"origin":"broker","submitted_date":"2026-11-25T10:57:38.715Z","updated_date":"2026-11-25T10:57:38.715Z","processed_date":null,"decision":null,"failure":null,"is_final":false,"next_check_seconds":1,"service_status":"pending","new_plan":{"id":"pln_01G7H9JPYD4WQW658CD9TTKFNS","slug":"starter","display_name":"Starter","upgrade_rank":10,"billing_type":"monthly"}}}',1795604258715,NULL);
INSERT INTO idempotency_records VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','live','creation','fixture-17540','27b50fad629208d9e84d3c2ba7bcc4c417b7841ba2dbbe68aea1969d8d4dcfe7',201,'{"success":true,"data":{"request_id":"req_01M895N836FHFTA8MZZPEH7YNS","type":"service-creation","request_status":"accepted","operator_review":false,"service_number":1000029,"origin":"broker","submitted_date":"2026-11-25T10:57:38.918Z","updated_date":"2026-11-25T10:57:38.918Z","processed_date":null,"decision":null,"failure":null,"is_final":false,"next_check_seconds":1,"service_status":"pending","new_plan":{"id":"pln_01G7H9JPYD4WQW658CD9TTKFNS","slug":"starter","display_name":"Starter","upgrade_rank":10,"billing_type":"monthly"}}}',1795604258917,NULL);
INSERT INTO idempotency_records VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','live','creation','fixture-2534','26b5debab8cd77b8daf0e2c0cd24d98365991f5c0e8628fd5efeb1234b989a46',201,'{"success":true,"data":{"request_id":"req_01M895N8AZGKACN8FB5VB5WHN9","type":"service-creation","request_status":"accepted","operator_review":false,"service_number":1000030,"origin":"broker","submitted_date":"2026-11-25T10:57:39.167Z","updated_date":"2026-11-25T10:57:39.167Z","processed_date":null,"decision":null,"failure":null,"is_final":false,"next_check_seconds":1,"service_status":"pending","new_plan":{"id":"pln_01G7H9JPYD4WQW658CD9TTKFNS","slug":"starter","display_name":"Starter","upgrade_rank":10,"billing_type":"monthly"}}}',1795604259167,NULL);
INSERT INTO idempotency_records VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','live','creation','fixture-17279','667143955361d278aae1423711c9cad83aa6ffac511e41cdbc2265b7ef34ca35',201,'{"success":true,"data":{"request_id":"req_01M895N9A9RE70BZJ214904R7R","type":"service-creation","request_status":"accepted","operator_review":false,"service_number":1000031,"origin":"broker","submitted_date":"2026-11-25T10:57:40.169Z","updated_date":"2026-11-25T10:57:40.169Z","processed_date":null,"decision":null,"failure":null,"is_final":false,"next_check_seconds":1,"service_status":"pending","new_plan":{"id":"pln_01G7H9JPYD4WQW658CD9TTKFNS","slug":"starter","display_name":"Starter","upgrade_rank":10,"billing_type":"monthly"}}}',1795604260169,NULL);
INSERT INTO idempotency_records VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','live','creation','fixture-20028','697b62fe18c574181b7c87a45c986167d0439064fd8d54a9b03589c7e89c0ca7',201,'{"success":true,"data":{"request_id":"req_01M895P5GYNYC07RKMZZBS88KX","type":"service-creation","request_status":"accepted","operator_review":false,"service_number":1000032,"origin":"broker","submitted_date":"2026-11-25T10:58:09.054Z","updated_date":"2026-11-25T10:58:09.054Z","processed_date":null,"decision":null,"failure":null,"is_final":false,"next_check_seconds":1,"service_status":"pending","new_plan":{"id":"pln_01G7H9JPYD4WQW658CD9TTKFNS","slug":"starter","display_name":"Starter","upgrade_rank":10,"billing_type":"monthly"}}}',1795604289020,NULL);
INSERT INTO idempotency_records VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','live','action','fixture-26063','d8e51fc41b1fd0ef3defeaf94f7c82f76855d7aa1fc04861252c8a3a4b793866',200,'{"success":true,"data":{"request_id":"req_01M895P5VR7F7FZTX7HB1KWTA4","type":"service-suspension","request_status":"accepted","operator_review":false,"service_number":1000027,"origin":"broker","submitted_date":"2026-11-25T10:58:09.400Z","updated_date":"2026-11-25T10:58:09.400Z","processed_date":null,"decision":null,"failure":null,"is_final":false,"next_check_seconds":1,"reason":"late"}}',1795604289400,1798196289400);
INSERT INTO idempotency_records VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','live','action','fixture-28215','a30e9ffa07a56e55090adc8162195553f6386b492cd428e7d4518060c524e272',200,'{"success":true,"data":{"request_id":"req_01M895P61YDBWJZ7ZGJJASSJ3Y","type":"cancellation","request_status":"accepted","operator_review":false,"service_number":1000028,"origin":"broker","submitted_date":"2026-11-25T10:58:09.598Z","updated_date":"2026-11-25T10:58:09.598Z","processed_date":null,"decision":null,"failure":null,"is_final":false,"next_check_seconds":1,"effective_date":"2026-11-25T10:58:09.598Z","cancellation_type":"immediate","reason":null}}',1795604289586,1798196289586);
INSERT INTO idempotency_records VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','live','action','fixture-11798','08fbaa9aa4a9f1359aff1c45536ed9b88dfb95097225d48e82d480f6c5bf8336',200,'{"success":true,"data":{"request_id":"req_01M895QQ68BV2MXJR5YXS7QFPA","type":"plan-upgrade","request_status":"accepted","operator_review":false,"service_number":1000026,"service_status":"active","current_plan":{"id":"pln_01G7H9JPYD4WQW658CD9TTKFNS","slug":"starter","display_name":"Starter","upgrade_rank":10,"billing_type":"monthly"},"new_plan":{"id":"pln_01M895K3FN6AM93E92HD56KCZ0","slug":"istanbul","display_name":"İstanbul","upgrade_rank":99,"billing_type":"monthly"},"effective_date":"2026-11-25T10:58:59.912Z","submitted_date":"2026-11-25T10:58:59.912Z","processed_date":null,"is_final":false,"next_check_seconds":1}}',1795604339890,1798196339890);
CREATE TABLE `invoices` (
	`broker_id` text NOT NULL,
	`invoice_number` text NOT NULL,
	`service_number` integer NOT NULL,
	`amount` text NOT NULL,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`issued_at` integer NOT NULL,
	`due_at` integer,
	`paid_at` integer,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`broker_id`, `invoice_number`),
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`service_number`) REFERENCES `services`(`number`) ON UPDATE no action ON DELETE no action
);
INSERT INTO invoices VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','D-2001',1000001,'6.00','EUR','paid',1788825600000,1790035200000,1789516800000,1795604110487);
INSERT INTO invoices VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','D-2002',1000001,'6.00','EUR','paid',1791417600000,1792627200000,1792108800000,1795604110487);
INSERT INTO invoices VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','D-2003',1000001,'6.00','EUR','open',1794009600000,1795219200000,NULL,1795604110487);
INSERT INTO invoices VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','D-2004',1000002,'18.00','EUR','paid',1792022400000,1793232000000,1792022400000,1795604110487);
INSERT INTO invoices VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','D-2005',1000002,'18.00','EUR','open',1794614400000,1795824000000,NULL,1795604110487);
INSERT INTO invoices VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','D-2006',1000003,'36.00','EUR','paid',1793318400000,1794528000000,1794441600000,1795604110487);
INSERT INTO invoices VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','D-2007',1000005,'7.94','EUR','open',1794787200000,1795996800000,NULL,1795604110487);
INSERT INTO invoices VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','D-2008',1000006,'44.53','EUR','void',1794787200000,1795996800000,NULL,1795604110487);
INSERT INTO invoices VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','D-2009',1000013,'6.00','EUR','open',1791244800000,1792454400000,NULL,1795604110487);
INSERT INTO invoices VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','D-2010',1000022,'18.00','EUR','paid',1793491200000,1794700800000,1793836800000,1795604110487);
INSERT INTO invoices VALUES('brk_01G7H9JPYDQ4YTMFX0THEJ0TX4','O-1',1000101,'4.90','USD','paid',1792886400000,1794096000000,1792972800000,1795604110590);
INSERT INTO invoices VALUES('brk_01G7H9JPYDQ4YTMFX0THEJ0TX4','O-2',1000102,'14.90','USD','open',1795046400000,1796256000000,NULL,1795604110590);
CREATE TABLE `operators` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`email_folded` text NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`active` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`last_sign_in_at` integer
);
INSERT INTO operators VALUES('opr_01M895GQ8ADVK7J9R02EKW0SZE','operator@example.com','operator@example.com','Demo operator','admin',1,1795604110602,1795604110602,NULL);
INSERT INTO operators VALUES('opr_01M895K6GJ5PFYD0BAGXSKNYJZ','eve@example.com','eve@example.com','Eve','admin',1,1795604191762,1795604191762,1795604417043);
CREATE TABLE `plans` (
	`id` text PRIMARY KEY NOT NULL,
	`broker_id` text NOT NULL,
	`slug` text NOT NULL,
	`slug_folded` text NOT NULL,
	`display_name` text NOT NULL,
	`display_name_folded` text NOT NULL,
	`upgrade_rank` integer NOT NULL,
	`billing_type` text NOT NULL,
	`active` integer NOT NULL,
	`requires_operator_review` integer NOT NULL,
	`description` text,
	`vcpu` integer,
	`memory_mb` integer,
	`disk_gb` integer,
	`transfer_gb` integer,
	`price_amount` text,
	`price_currency` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action
);
INSERT INTO plans VALUES('pln_01G7H9JPYD4WQW658CD9TTKFNS','brk_01G7H9JPYDG6JFF0Z4976SK0DX','starter','starter','Starter','starter',10,'monthly',1,0,'A small server for a first site.',1,2048,40,1000,'6.00','EUR',1657364110285,1795804859784);
INSERT INTO plans VALUES('pln_01G7H9JPYD1NQDCYJMFD1GF6F7','brk_01G7H9JPYDG6JFF0Z4976SK0DX','classic','classic','Classic (2019)','classic (2019)',15,'monthly',0,0,'No longer sold; a few clients still have it.',1,4096,60,1000,'9.00','EUR',1657364110285,1795496110285);
INSERT INTO plans VALUES('pln_01G7H9JPYDVW1TW0FHRY7Z058G','brk_01G7H9JPYDG6JFF0Z4976SK0DX','business','business','Business','business',20,'monthly',1,0,'Room for a shop and its database.',2,8192,120,3000,'18.00','EUR',1657364110285,1657364110285);
INSERT INTO plans VALUES('pln_01G7H9JPYDSBEPE4HBHDAF0CGY','brk_01G7H9JPYDG6JFF0Z4976SK0DX','performance','performance','Performance','performance',30,'monthly',1,0,'For sites that many people visit at once.',4,16384,240,6000,'36.00','EUR',1657364110285,1657364110285);
INSERT INTO plans VALUES('pln_01G7H9JPYD6FRBFVRNS852KKKY','brk_01G7H9JPYDG6JFF0Z4976SK0DX','dedicated','dedicated','Dedicated Server','dedicated server',40,'monthly',1,1,'A machine of its own, made ready by hand.',16,65536,960,20000,'129.00','EUR',1657364110285,1657364110285);
INSERT INTO plans VALUES('pln_01G7H9JPYD9ZSXF2TA7FCGKVR1','brk_01G7H9JPYDG6JFF0Z4976SK0DX','flex-small','flex-small','Flex Small','flex small',10,'hourly',1,0,'Billed by the hour.',1,2048,40,1000,'0.012','EUR',1657364110285,1657364110285);
INSERT INTO plans VALUES('pln_01G7H9JPYDCNR7D5BQ7296H9XR','brk_01G7H9JPYDG6JFF0Z4976SK0DX','flex-large','flex-large','Flex Large','flex large',20,'hourly',1,0,'Billed by the hour.',4,16384,160,4000,'0.061','EUR',1657364110285,1657364110285);
INSERT INTO plans VALUES('pln_01G7H9JPYD9Y7NHNDDR4YMQDP6','brk_01G7H9JPYDQ4YTMFX0THEJ0TX4','basic','basic','Basic','basic',1,'monthly',1,0,NULL,1,1024,20,500,'4.90','USD',1657364110285,1657364110285);
INSERT INTO plans VALUES('pln_01G7H9JPYDA7AM9FAQQQDD2MCW','brk_01G7H9JPYDQ4YTMFX0THEJ0TX4','plus','plus','Plus','plus',2,'monthly',1,0,NULL,2,4096,80,2000,'14.90','USD',1657364110285,1657364110285);
INSERT INTO plans VALUES('pln_01M895K3FN6AM93E92HD56KCZ0','brk_01G7H9JPYDG6JFF0Z4976SK0DX','istanbul','istanbul','İstanbul','i̇stanbul',99,'monthly',1,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1795604188661,1795604188661);
CREATE TABLE `report_recipients` (
	`broker_id` text NOT NULL,
	`email` text NOT NULL,
	`email_folded` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`broker_id`, `email_folded`),
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action
);
INSERT INTO report_recipients VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','accounts@demo-hosting.example.com','accounts@demo-hosting.example.com',1795604110396);
CREATE TABLE `request_history` (
	`id` text PRIMARY KEY NOT NULL,
	`broker_id` text NOT NULL,
	`request_id` text NOT NULL,
	`status` text NOT NULL,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`note` text,
	FOREIGN KEY (`request_id`) REFERENCES `requests`(`id`) ON UPDATE no action ON DELETE no action
);
INSERT INTO request_history VALUES('evt_01M81EAHYDZYE6ZT44M4VZZYC8','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M81EAHYD9AJD0A888BH1WHT0','approved',1795344910285,'broker',NULL);
INSERT INTO request_history VALUES('evt_01M86K3ZYD81KSD22S4ZJJ9953','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M86K3ZYDTVBXX0VS5RA2F60Q','pending',1795517710285,'client',NULL);
INSERT INTO request_history VALUES('evt_01M840Q8YDG24890147ETSNEGX','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M840Q8YD775VCQ5VHWT8NCMT','pending',1795431310285,'client',NULL);
INSERT INTO request_history VALUES('evt_01M86K3ZYDZQXM6J5RPXFYN140','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M86K3ZYDYTVBX450VTSWK99Y','operator_review',1795517710285,'broker',NULL);
INSERT INTO request_history VALUES('evt_01M7YVXTYDNGWJ5F4C8AWNGQPX','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M7YVXTYDP2A6ND4KDCQRJ3PN','operator_review',1795258510285,'broker',NULL);
INSERT INTO request_history VALUES('evt_01M81EAHYDTJ6ENF8TDRX37SHQ','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M7YVXTYDP2A6ND4KDCQRJ3PN','accepted',1795344910285,'operator',NULL);
INSERT INTO request_history VALUES('evt_01M7W9H3YDJ2X98ER81B4VHCK0','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M7W9H3YDZJA822JXWFZXMJBY','pending',1795172110285,'client',NULL);
INSERT INTO request_history VALUES('evt_01M7YVXTYDZD3RJRF6HWVRSCMN','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M7W9H3YDZJA822JXWFZXMJBY','accepted',1795258510285,'broker',NULL);
INSERT INTO request_history VALUES('evt_01M6NNJAYDYEH5TC04Q34C4YYT','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M6NNJAYDHRCRP3RVX9T5GX8Z','accepted',1793876110285,'broker',NULL);
INSERT INTO request_history VALUES('evt_01M6NNM5HDW7TZEVY2Z7NYM6X2','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M6NNJAYDHRCRP3RVX9T5GX8Z','completed',1793876170285,'system',NULL);
INSERT INTO request_history VALUES('evt_01M7FDHGYD0NPJQH26N2N4N4JR','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M7FDHGYD3GTRTWFT97EYK3E0','accepted',1794740110285,'broker',NULL);
INSERT INTO request_history VALUES('evt_01M7FDKBHD7FRG14Q3CN997QBE','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M7FDHGYD3GTRTWFT97EYK3E0','completed',1794740170285,'system',NULL);
INSERT INTO request_history VALUES('evt_01M840Q8YDY2APZWX7WEQ9GFCT','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M840Q8YD9T2FSQW9WQPQ725G','accepted',1795431310285,'broker',NULL);
INSERT INTO request_history VALUES('evt_01M840S3HDZHTJTADMJ4QAJ71J','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M840Q8YD9T2FSQW9WQPQ725G','completed',1795431370285,'system',NULL);
INSERT INTO request_history VALUES('evt_01M7A8R2YDWK67AV17KWPDF1W4','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M7A8R2YDYVATRTZ3NXV9WFNS','accepted',1794567310285,'broker',NULL);
INSERT INTO request_history VALUES('evt_01M7A8SXHDC558VN4R58AGFPSY','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M7A8R2YDYVATRTZ3NXV9WFNS','completed',1794567370285,'system',NULL);
INSERT INTO request_history VALUES('evt_01M5VXK4YDRJHPEWNYKZZBD9CT','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M5VXK4YDXTDQVTP98MTNZFNW','accepted',1793012110285,'broker',NULL);
INSERT INTO request_history VALUES('evt_01M5VXMZHD16YAD65AGCGG1FQA','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M5VXK4YDXTDQVTP98MTNZFNW','completed',1793012170285,'system',NULL);
INSERT INTO request_history VALUES('evt_01M7SQ4CYDQS74FW3YZP3DK1FV','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M7SQ4CYD4XFV47262S0SSYAT','accepted',1795085710285,'broker',NULL);
INSERT INTO request_history VALUES('evt_01M7SQ67HD1JMETF134N7SM2JH','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M7SQ4CYD4XFV47262S0SSYAT','failed',1795085770285,'system',NULL);
INSERT INTO request_history VALUES('evt_01M7MJAYYD5VMR38QWDGZWRJXK','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M7MJAYYDJ196YAASSPSSMWFZ','pending',1794912910285,'client',NULL);
INSERT INTO request_history VALUES('evt_01M7Q4QNYDQ1E276RJSVCFEBV5','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M7MJAYYDJ196YAASSPSSMWFZ','denied',1794999310285,'broker',NULL);
INSERT INTO request_history VALUES('evt_01M7HZY7YDVMY6ZVRYXNWH0DV6','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M7HZY7YD90QKAZGRP1NV654M','operator_review',1794826510285,'broker',NULL);
INSERT INTO request_history VALUES('evt_01M7Q4QNYDSRNE5QRZSG8G4YHF','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M7HZY7YD90QKAZGRP1NV654M','denied',1794999310285,'operator',NULL);
INSERT INTO request_history VALUES('evt_01M88N1BYDFJZRTFHE64ED5GBS','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M88N1BYDT1ZYJDNHRW8G8SBQ','operator_review',1795586830285,'broker',NULL);
INSERT INTO request_history VALUES('evt_01M891CW6DTY289V3BCNJTMZ01','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M891CW6DYNJGMN2AVPAYSWXK','operator_review',1795599790285,'broker',NULL);
INSERT INTO request_history VALUES('evt_01M895N7M3R72X6Q0WFFSYKXFY','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M895N7M3R72X6Q0WFFSYKXFX','accepted',1795604258435,'broker',NULL);
INSERT INTO request_history VALUES('evt_01M895N7RX0KH9C424RZ2PEFPV','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M895N7RX0KH9C424RZ2PEFPT','accepted',1795604258589,'broker',NULL);
INSERT INTO request_history VALUES('evt_01M895N7WVEZR5WHHW1538NYXC','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M895N7WVEZR5WHHW1538NYXB','accepted',1795604258715,'broker',NULL);
INSERT INTO request_history VALUES('evt_01M895N836FHFTA8MZZPEH7YNT','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M895N836FHFTA8MZZPEH7YNS','accepted',1795604258918,'broker',NULL);
INSERT INTO request_history VALUES('evt_01M895N8AZGKACN8FB5VB5WHNA','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M895N8AZGKACN8FB5VB5WHN9','accepted',1795604259167,'broker',NULL);
INSERT INTO request_history VALUES('evt_01M895N8JQ3G336XYMSDMG6ABK','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M895N7M3R72X6Q0WFFSYKXFX','completed',1795604259415,'system',NULL);
INSERT INTO request_history VALUES('evt_01M895N8N1Y905Q433B575GJFP','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M895N7RX0KH9C424RZ2PEFPT','completed',1795604259489,'system',NULL);
INSERT INTO request_history VALUES('evt_01M895N8NCWWED106C9BFWSN6E','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M895N7WVEZR5WHHW1538NYXB','completed',1795604259500,'system',NULL);
INSERT INTO request_history VALUES('evt_01M895N8NCWWED106C9BFWSN6F','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M895N836FHFTA8MZZPEH7YNS','completed',1795604259500,'system',NULL);
INSERT INTO request_history VALUES('evt_01M895N9A73ZK1ZKZGXYPYD54P','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M895N8AZGKACN8FB5VB5WHN9','completed',1795604260167,'system',NULL);
INSERT INTO request_history VALUES('evt_01M895N9A9RE70BZJ214904R7S','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M895N9A9RE70BZJ214904R7R','accepted',1795604260169,'broker',NULL);
INSERT INTO request_history VALUES('evt_01M895N9KJFGHDYMT0NGCFN4H3','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M895N9A9RE70BZJ214904R7R','completed',1795604260466,'system',NULL);
INSERT INTO request_history VALUES('evt_01M895P5GYNYC07RKMZZBS88KY','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M895P5GYNYC07RKMZZBS88KX','accepted',1795604289054,'broker',NULL);
INSERT INTO request_history VALUES('evt_01M895P5VR7F7FZTX7HB1KWTA5','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M895P5VR7F7FZTX7HB1KWTA4','accepted',1795604289400,'broker',NULL);
INSERT INTO request_history VALUES('evt_01M895P61YDBWJZ7ZGJJASSJ3Z','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M895P61YDBWJZ7ZGJJASSJ3Y','accepted',1795604289598,'broker',NULL);
INSERT INTO request_history VALUES('evt_01M895QQ1XH6T0A5NJ4KBG3N4H','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M895QPWSZMWMJWCA0X2HR9JK','approved',1795604339773,'broker',NULL);
INSERT INTO request_history VALUES('evt_01M895QQ68BV2MXJR5YXS7QFPB','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M895QQ68BV2MXJR5YXS7QFPA','accepted',1795604339912,'broker',NULL);
INSERT INTO request_history VALUES('evt_01M8F4ZAY7QBREZMDYD8SMZE3D','brk_01G7H9JPYDG6JFF0Z4976SK0DX','req_01M8F4ZAY7QBREZMDYD8SMZE3C','accepted',1795804867527,'operator',NULL);
CREATE TABLE `requests` (
	`id` text PRIMARY KEY NOT NULL,
	`broker_id` text NOT NULL,
	`service_number` integer NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`origin` text NOT NULL,
	`submitted_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`processed_at` integer,
	`decision_action` text,
	`decided_by` text,
	`decision_reason` text,
	`decided_at` integer,
	`failure_reason` text,
	`failure_message` text,
	`failure_service_usable` integer,
	`failure_retryable` integer,
	`warning_reason` text,
	`current_plan_id` text,
	`new_plan_id` text,
	`effective_at` integer,
	`cancellation_type` text,
	`cancellation_reason` text,
	`due_at` integer,
	`lease_owner` text,
	`attempts` integer NOT NULL,
	`work_token` text,
	`work_begun_at` integer, `cleans_up` integer, `action_name` text, `action_display_name` text, `action_configuration` text,
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`service_number`) REFERENCES `services`(`number`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`current_plan_id`) REFERENCES `plans`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`new_plan_id`) REFERENCES `plans`(`id`) ON UPDATE no action ON DELETE no action
);
INSERT INTO requests VALUES('req_01M81EAHYD9AJD0A888BH1WHT0','brk_01G7H9JPYDG6JFF0Z4976SK0DX',1000009,'cancellation-warning','approved','broker',1795344910285,1795344910285,1795344910285,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'Two invoices are overdue.',NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES('req_01M86K3ZYDTVBXX0VS5RA2F60Q','brk_01G7H9JPYDG6JFF0Z4976SK0DX',1000017,'plan-upgrade','pending','client',1795517710285,1795517710285,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'pln_01G7H9JPYD4WQW658CD9TTKFNS','pln_01G7H9JPYDVW1TW0FHRY7Z058G',NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES('req_01M840Q8YD775VCQ5VHWT8NCMT','brk_01G7H9JPYDG6JFF0Z4976SK0DX',1000018,'cancellation','pending','client',1795431310285,1795431310285,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'end_of_term','The project has ended.',NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES('req_01M86K3ZYDYTVBX450VTSWK99Y','brk_01G7H9JPYDG6JFF0Z4976SK0DX',1000019,'plan-upgrade','operator_review','broker',1795517710285,1795517710285,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'pln_01G7H9JPYDSBEPE4HBHDAF0CGY','pln_01G7H9JPYD6FRBFVRNS852KKKY',NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES('req_01M7YVXTYDP2A6ND4KDCQRJ3PN','brk_01G7H9JPYDG6JFF0Z4976SK0DX',1000020,'plan-downgrade','accepted','broker',1795258510285,1795344910285,NULL,'accept','operator',NULL,1795344910285,NULL,NULL,NULL,NULL,NULL,'pln_01G7H9JPYDSBEPE4HBHDAF0CGY','pln_01G7H9JPYDVW1TW0FHRY7Z058G',1797120000000,NULL,NULL,1797120000000,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES('req_01M7W9H3YDZJA822JXWFZXMJBY','brk_01G7H9JPYDG6JFF0Z4976SK0DX',1000021,'cancellation','accepted','client',1795172110285,1795258510285,NULL,'approve','broker',NULL,1795258510285,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1796774400000,'end_of_term','We are moving in with another team.',1796774400000,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES('req_01M6NNJAYDHRCRP3RVX9T5GX8Z','brk_01G7H9JPYDG6JFF0Z4976SK0DX',1000022,'plan-upgrade','completed','broker',1793876110285,1793876170285,1793876170285,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'pln_01G7H9JPYD4WQW658CD9TTKFNS','pln_01G7H9JPYDVW1TW0FHRY7Z058G',1793876110285,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES('req_01M7FDHGYD3GTRTWFT97EYK3E0','brk_01G7H9JPYDG6JFF0Z4976SK0DX',1000024,'service-creation','completed','broker',1794740110285,1794740170285,1794740170285,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'pln_01G7H9JPYD4WQW658CD9TTKFNS',NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES('req_01M840Q8YD9T2FSQW9WQPQ725G','brk_01G7H9JPYDG6JFF0Z4976SK0DX',1000010,'service-suspension','completed','broker',1795431310285,1795431370285,1795431370285,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1795431310285,NULL,'Two invoices are overdue.',NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES('req_01M7A8R2YDYVATRTZ3NXV9WFNS','brk_01G7H9JPYDG6JFF0Z4976SK0DX',1000002,'service-unsuspension','completed','broker',1794567310285,1794567370285,1794567370285,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794567310285,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES('req_01M5VXK4YDXTDQVTP98MTNZFNW','brk_01G7H9JPYDG6JFF0Z4976SK0DX',1000013,'cancellation','completed','broker',1793012110285,1793012170285,1793012170285,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1793012110285,'immediate',NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES('req_01M7SQ4CYD4XFV47262S0SSYAT','brk_01G7H9JPYDG6JFF0Z4976SK0DX',1000023,'plan-upgrade','failed','broker',1795085710285,1795085770285,1795085770285,NULL,NULL,NULL,NULL,'provisioning_failed','No host had room for the larger plan',1,1,NULL,'pln_01G7H9JPYD4WQW658CD9TTKFNS','pln_01G7H9JPYDSBEPE4HBHDAF0CGY',1795085710285,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES('req_01M7MJAYYDJ196YAASSPSSMWFZ','brk_01G7H9JPYDG6JFF0Z4976SK0DX',1000002,'plan-upgrade','denied','client',1794912910285,1794999310285,1794999310285,'deny','broker','Please settle the open invoice first.',1794999310285,NULL,NULL,NULL,NULL,NULL,'pln_01G7H9JPYDVW1TW0FHRY7Z058G','pln_01G7H9JPYDSBEPE4HBHDAF0CGY',NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES('req_01M7HZY7YD90QKAZGRP1NV654M','brk_01G7H9JPYDG6JFF0Z4976SK0DX',1000025,'plan-upgrade','denied','broker',1794826510285,1794999310285,1794999310285,'deny','operator','The migration is planned for next month.',1794999310285,NULL,NULL,NULL,NULL,NULL,'pln_01G7H9JPYD4WQW658CD9TTKFNS','pln_01G7H9JPYDVW1TW0FHRY7Z058G',NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES('req_01M88N1BYDT1ZYJDNHRW8G8SBQ','brk_01G7H9JPYDG6JFF0Z4976SK0DX',1000025,'plan-upgrade','operator_review','broker',1795586830285,1795586830285,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'pln_01G7H9JPYD4WQW658CD9TTKFNS','pln_01G7H9JPYDVW1TW0FHRY7Z058G',NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES('req_01M891CW6DYNJGMN2AVPAYSWXK','brk_01G7H9JPYDG6JFF0Z4976SK0DX',1000003,'plan-downgrade','operator_review','broker',1795599790285,1795599790285,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'pln_01G7H9JPYDSBEPE4HBHDAF0CGY','pln_01G7H9JPYDVW1TW0FHRY7Z058G',NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES('req_01M895N7M3R72X6Q0WFFSYKXFX','brk_01G7H9JPYDG6JFF0Z4976SK0DX',1000026,'service-creation','completed','broker',1795604258435,1795604259415,1795604259415,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'pln_01G7H9JPYD4WQW658CD9TTKFNS',NULL,NULL,NULL,NULL,NULL,1,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES('req_01M895N7RX0KH9C424RZ2PEFPT','brk_01G7H9JPYDG6JFF0Z4976SK0DX',1000027,'service-creation','completed','broker',1795604258589,1795604259489,1795604259489,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'pln_01G7H9JPYD4WQW658CD9TTKFNS',NULL,NULL,NULL,NULL,NULL,1,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES('req_01M895N7WVEZR5WHHW1538NYXB','brk_01G7H9JPYDG6JFF0Z4976SK0DX',1000028,'service-creation','completed','broker',1795604258715,1795604259500,1795604259500,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'pln_01G7H9JPYD4WQW658CD9TTKFNS',NULL,NULL,NULL,NULL,NULL,1,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES('req_01M895N836FHFTA8MZZPEH7YNS','brk_01G7H9JPYDG6JFF0Z4976SK0DX',1000029,'service-creation','completed','broker',1795604258918,1795604259500,1795604259500,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'pln_01G7H9JPYD4WQW658CD9TTKFNS',NULL,NULL,NULL,NULL,NULL,1,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES('req_01M895N8AZGKACN8FB5VB5WHN9','brk_01G7H9JPYDG6JFF0Z4976SK0DX',1000030,'service-creation','completed','broker',1795604259167,1795604260167,1795604260167,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'pln_01G7H9JPYD4WQW658CD9TTKFNS',NULL,NULL,NULL,NULL,NULL,1,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES('req_01M895N9A9RE70BZJ214904R7R','brk_01G7H9JPYDG6JFF0Z4976SK0DX',1000031,'service-creation','completed','broker',1795604260169,1795604260466,1795604260466,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'pln_01G7H9JPYD4WQW658CD9TTKFNS',NULL,NULL,NULL,NULL,NULL,1,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES('req_01M895P5GYNYC07RKMZZBS88KX','brk_01G7H9JPYDG6JFF0Z4976SK0DX',1000032,'service-creation','accepted','broker',1795604289054,1795604289054,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'pln_01G7H9JPYD4WQW658CD9TTKFNS',NULL,NULL,NULL,1795604289054,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES('req_01M895P5VR7F7FZTX7HB1KWTA4','brk_01G7H9JPYDG6JFF0Z4976SK0DX',1000027,'service-suspension','accepted','broker',1795604289400,1795604289400,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'late',1795604289400,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES('req_01M895P61YDBWJZ7ZGJJASSJ3Y','brk_01G7H9JPYDG6JFF0Z4976SK0DX',1000028,'cancellation','accepted','broker',1795604289598,1795604289598,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1795604289598,'immediate',NULL,1795604289598,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES('req_01M895QPWSZMWMJWCA0X2HR9JK','brk_01G7H9JPYDG6JFF0Z4976SK0DX',1000026,'cancellation-warning','approved','broker',1795604339508,1795604339773,1795604339773,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'unpaid',NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES('req_01M895QQ68BV2MXJR5YXS7QFPA','brk_01G7H9JPYDG6JFF0Z4976SK0DX',1000026,'plan-upgrade','accepted','broker',1795604339912,1795604339912,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'pln_01G7H9JPYD4WQW658CD9TTKFNS','pln_01M895K3FN6AM93E92HD56KCZ0',1795604339912,NULL,NULL,1795604339912,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO requests VALUES('req_01M8F4ZAY7QBREZMDYD8SMZE3C','brk_01G7H9JPYDG6JFF0Z4976SK0DX',1000001,'service-action','accepted','operator',1795804867527,1795804867527,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1795804867527,NULL,0,NULL,NULL,NULL,'reboot','Restart','{}');
CREATE TABLE `sequences` (
	`name` text PRIMARY KEY NOT NULL,
	`next_value` integer NOT NULL
);
INSERT INTO sequences VALUES('service_number',1000033);
CREATE TABLE `services` (
	`number` integer PRIMARY KEY NOT NULL,
	`broker_id` text NOT NULL,
	`status` text NOT NULL,
	`plan_id` text NOT NULL,
	`label` text,
	`external_reference` text,
	`client_name` text NOT NULL,
	`client_email` text,
	`client_email_folded` text,
	`search_text` text NOT NULL,
	`requires_operator_review` integer NOT NULL,
	`created_at` integer NOT NULL,
	`renewal_at` integer,
	`cancelled_at` integer,
	`cancellation_type` text,
	`cancellation_effective_at` integer,
	`cancellation_request_id` text,
	`updated_at` integer NOT NULL,
	`renewal_anchor` integer,
	`suspended_by` text,
	`suspension_reason` text,
	`suspended_at` integer,
	`import_id` text, `configuration` text, `access` text, `reference` text,
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`plan_id`) REFERENCES `plans`(`id`) ON UPDATE no action ON DELETE no action
);
INSERT INTO services VALUES(1000001,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','active','pln_01G7H9JPYD4WQW658CD9TTKFNS','shop.example.com','C-1000001','Ada Example','client-1000001@example.com','client-1000001@example.com','shop.example.comZada exampleZc-1000001Zvps.example.comZ192.0.2.7',0,1761004800000,1796601600000,NULL,NULL,NULL,NULL,1795804867527,518400000,NULL,NULL,NULL,'aud_01G7H9JPYD9NBXTD7F0F6467RM','{"image":"debian-13","hostname":"vps.example.com"}','{"hostname":"vps.example.com","ip_addresses":["192.0.2.7"],"username":null,"login_url":null,"notes":null}',NULL);
INSERT INTO services VALUES(1000002,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','active','pln_01G7H9JPYDVW1TW0FHRY7Z058G','blog.example.com','C-1000002','Ben Sample','client-1000002@example.com','client-1000002@example.com','blog.example.comZben sampleZc-1000002',0,1767916800000,1797292800000,NULL,NULL,NULL,NULL,1794999310285,1209600000,NULL,NULL,NULL,'aud_01G7H9JPYD9NBXTD7F0F6467RM',NULL,NULL,NULL);
INSERT INTO services VALUES(1000003,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','active','pln_01G7H9JPYDSBEPE4HBHDAF0CGY','team.example.com','C-1000003','Clara Muster','client-1000003@example.com','client-1000003@example.com','team.example.comZclara musterZc-1000003',0,1769644800000,1795996800000,NULL,NULL,NULL,NULL,1795599790285,2505600000,NULL,NULL,NULL,'aud_01G7H9JPYD9NBXTD7F0F6467RM',NULL,NULL,NULL);
INSERT INTO services VALUES(1000004,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','active','pln_01G7H9JPYD1NQDCYJMFD1GF6F7','archive.example.com','C-1000004','Dan Ejemplo','client-1000004@example.com','client-1000004@example.com','archive.example.comZdan ejemploZc-1000004',0,1665964800000,1797984000000,NULL,NULL,NULL,NULL,1665964800000,1900800000,NULL,NULL,NULL,'aud_01G7H9JPYD9NBXTD7F0F6467RM',NULL,NULL,NULL);
INSERT INTO services VALUES(1000005,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','active','pln_01G7H9JPYD9ZSXF2TA7FCGKVR1','render-1','C-1000005','Eva Esempio','client-1000005@example.com','client-1000005@example.com','render-1Zeva esempioZc-1000005',0,1792108800000,NULL,NULL,NULL,NULL,NULL,1792108800000,NULL,NULL,NULL,NULL,'aud_01G7H9JPYD9NBXTD7F0F6467RM',NULL,NULL,NULL);
INSERT INTO services VALUES(1000006,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','active','pln_01G7H9JPYDCNR7D5BQ7296H9XR','render-2','C-1000006','Eva Esempio','client-1000006@example.com','client-1000006@example.com','render-2Zeva esempioZc-1000006',0,1792281600000,NULL,NULL,NULL,NULL,NULL,1792281600000,NULL,NULL,NULL,NULL,'aud_01G7H9JPYD9NBXTD7F0F6467RM',NULL,NULL,NULL);
INSERT INTO services VALUES(1000007,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','active','pln_01G7H9JPYD4WQW658CD9TTKFNS','noaddress.example.com','C-1000007','Finn Exemple',NULL,NULL,'noaddress.example.comZfinn exempleZc-1000007',0,1778284800000,1796342400000,NULL,NULL,NULL,NULL,1778284800000,259200000,NULL,NULL,NULL,'aud_01G7H9JPYD9NBXTD7F0F6467RM',NULL,NULL,NULL);
INSERT INTO services VALUES(1000008,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','active','pln_01G7H9JPYD4WQW658CD9TTKFNS','badaddress.example.com','C-1000008','Greta Voorbeeld','greta at home','greta at home','badaddress.example.comZgreta voorbeeldZc-1000008',0,1779148800000,1796342400000,NULL,NULL,NULL,NULL,1779148800000,259200000,NULL,NULL,NULL,'aud_01G7H9JPYD9NBXTD7F0F6467RM',NULL,NULL,NULL);
INSERT INTO services VALUES(1000009,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','suspended','pln_01G7H9JPYD4WQW658CD9TTKFNS','paused.example.com','C-1000009','Hal Example','client-1000009@example.com','client-1000009@example.com','paused.example.comZhal exampleZc-1000009',0,1780012800000,1795824000000,NULL,NULL,NULL,NULL,1780012800000,2332800000,'operator',NULL,1657364110285,'aud_01G7H9JPYD9NBXTD7F0F6467RM',NULL,NULL,NULL);
INSERT INTO services VALUES(1000010,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','suspended','pln_01G7H9JPYD9ZSXF2TA7FCGKVR1','render-3','C-1000010','Ida Przykład','client-1000010@example.com','client-1000010@example.com','render-3Zida przykładZc-1000010',0,1793404800000,NULL,NULL,NULL,NULL,NULL,1795431370285,NULL,'broker','Two invoices are overdue.',1795431370285,'aud_01G7H9JPYD9NBXTD7F0F6467RM',NULL,NULL,NULL);
INSERT INTO services VALUES(1000011,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','pending','pln_01G7H9JPYDVW1TW0FHRY7Z058G','new.example.com','C-1000011','Jon Dæmi','client-1000011@example.com','client-1000011@example.com','new.example.comZjon dæmiZc-1000011',0,1795478400000,1798070400000,NULL,NULL,NULL,NULL,1795478400000,1987200000,NULL,NULL,NULL,'aud_01G7H9JPYD9NBXTD7F0F6467RM',NULL,NULL,NULL);
INSERT INTO services VALUES(1000012,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','pending','pln_01G7H9JPYD9ZSXF2TA7FCGKVR1',NULL,'C-1000012','Kim Örnek','client-1000012@example.com','client-1000012@example.com','kim örnekZc-1000012',0,1795478400000,NULL,NULL,NULL,NULL,NULL,1795478400000,NULL,NULL,NULL,NULL,'aud_01G7H9JPYD9NBXTD7F0F6467RM',NULL,NULL,NULL);
INSERT INTO services VALUES(1000013,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','cancelled','pln_01G7H9JPYD4WQW658CD9TTKFNS','gone.example.com','C-1000013','Lea Beispiel','client-1000013@example.com','client-1000013@example.com','gone.example.comZlea beispielZc-1000013',0,1735084800000,NULL,1792972800000,'immediate',1793012110285,'req_01M5VXK4YDXTDQVTP98MTNZFNW',1793012170285,NULL,NULL,NULL,NULL,'aud_01G7H9JPYD9NBXTD7F0F6467RM',NULL,NULL,NULL);
INSERT INTO services VALUES(1000014,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','cancelled','pln_01G7H9JPYDVW1TW0FHRY7Z058G','left.example.com','C-1000014','Max Beispiel','client-1000014@example.com','client-1000014@example.com','left.example.comZmax beispielZc-1000014',0,1739404800000,NULL,1787788800000,NULL,NULL,NULL,1787788800000,NULL,NULL,NULL,NULL,'aud_01G7H9JPYD9NBXTD7F0F6467RM',NULL,NULL,NULL);
INSERT INTO services VALUES(1000015,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','terminated','pln_01G7H9JPYD4WQW658CD9TTKFNS','ended.example.com','C-1000015','Nia Enghraifft','client-1000015@example.com','client-1000015@example.com','ended.example.comZnia enghraifftZc-1000015',0,1717804800000,NULL,1778284800000,NULL,NULL,NULL,1778284800000,NULL,NULL,NULL,NULL,'aud_01G7H9JPYD9NBXTD7F0F6467RM',NULL,NULL,NULL);
INSERT INTO services VALUES(1000016,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','terminated','pln_01G7H9JPYDCNR7D5BQ7296H9XR','render-4','C-1000016','Olu Apẹẹrẹ','client-1000016@example.com','client-1000016@example.com','render-4Zolu apẹẹrẹZc-1000016',0,1786060800000,NULL,1790380800000,NULL,NULL,NULL,1790380800000,NULL,NULL,NULL,NULL,'aud_01G7H9JPYD9NBXTD7F0F6467RM',NULL,NULL,NULL);
INSERT INTO services VALUES(1000017,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','active','pln_01G7H9JPYD4WQW658CD9TTKFNS','wants-more.example.com','C-1000017','Pia Exempel','client-1000017@example.com','client-1000017@example.com','wants-more.example.comZpia exempelZc-1000017',0,1782604800000,1796947200000,NULL,NULL,NULL,NULL,1795517710285,864000000,NULL,NULL,NULL,'aud_01G7H9JPYD9NBXTD7F0F6467RM',NULL,NULL,NULL);
INSERT INTO services VALUES(1000018,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','active','pln_01G7H9JPYDVW1TW0FHRY7Z058G','wants-out.example.com','C-1000018','Quinn Example','client-1000018@example.com','client-1000018@example.com','wants-out.example.comZquinn exampleZc-1000018',0,1783468800000,1797465600000,NULL,NULL,NULL,NULL,1795431310285,1382400000,NULL,NULL,NULL,'aud_01G7H9JPYD9NBXTD7F0F6467RM',NULL,NULL,NULL);
INSERT INTO services VALUES(1000019,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','active','pln_01G7H9JPYDSBEPE4HBHDAF0CGY','review.example.com','C-1000019','Rosa Ejemplo','client-1000019@example.com','client-1000019@example.com','review.example.comZrosa ejemploZc-1000019',0,1784332800000,1797724800000,NULL,NULL,NULL,NULL,1795517710285,1641600000,NULL,NULL,NULL,'aud_01G7H9JPYD9NBXTD7F0F6467RM',NULL,NULL,NULL);
INSERT INTO services VALUES(1000020,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','active','pln_01G7H9JPYDSBEPE4HBHDAF0CGY','smaller-soon.example.com','C-1000020','Sven Eksempel','client-1000020@example.com','client-1000020@example.com','smaller-soon.example.comZsven eksempelZc-1000020',0,1785196800000,1797120000000,NULL,NULL,NULL,NULL,1795344910285,1036800000,NULL,NULL,NULL,'aud_01G7H9JPYD9NBXTD7F0F6467RM',NULL,NULL,NULL);
INSERT INTO services VALUES(1000021,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','active','pln_01G7H9JPYD4WQW658CD9TTKFNS','leaving.example.com','C-1000021','Tara Udaharan','client-1000021@example.com','client-1000021@example.com','leaving.example.comZtara udaharanZc-1000021',0,1785628800000,1796774400000,NULL,'end_of_term',1796774400000,'req_01M7W9H3YDZJA822JXWFZXMJBY',1795258510285,691200000,NULL,NULL,NULL,'aud_01G7H9JPYD9NBXTD7F0F6467RM',NULL,NULL,NULL);
INSERT INTO services VALUES(1000022,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','active','pln_01G7H9JPYDVW1TW0FHRY7Z058G','grown.example.com','C-1000022','Udo Beispiel','client-1000022@example.com','client-1000022@example.com','grown.example.comZudo beispielZc-1000022',0,1786924800000,1796169600000,NULL,NULL,NULL,NULL,1793876170285,86400000,NULL,NULL,NULL,'aud_01G7H9JPYD9NBXTD7F0F6467RM',NULL,NULL,NULL);
INSERT INTO services VALUES(1000023,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','active','pln_01G7H9JPYD4WQW658CD9TTKFNS','unlucky.example.com','C-1000023','Vera Primjer','client-1000023@example.com','client-1000023@example.com','unlucky.example.comZvera primjerZc-1000023',0,1787356800000,1796515200000,NULL,NULL,NULL,NULL,1795085770285,432000000,NULL,NULL,NULL,'aud_01G7H9JPYD9NBXTD7F0F6467RM',NULL,NULL,NULL);
INSERT INTO services VALUES(1000024,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','active','pln_01G7H9JPYD4WQW658CD9TTKFNS','fresh.example.com','C-1000024','Wim Voorbeeld','client-1000024@example.com','client-1000024@example.com','fresh.example.comZwim voorbeeldZc-1000024',0,1794700800000,1797379200000,NULL,NULL,NULL,NULL,1794740170285,1296000000,NULL,NULL,NULL,'aud_01G7H9JPYD9NBXTD7F0F6467RM',NULL,NULL,NULL);
INSERT INTO services VALUES(1000025,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','active','pln_01G7H9JPYD4WQW658CD9TTKFNS','watched.example.com','C-1000025','Xenia Paradeigma','client-1000025@example.com','client-1000025@example.com','watched.example.comZxenia paradeigmaZc-1000025',1,1788652800000,1796688000000,NULL,NULL,NULL,NULL,1795586830286,604800000,NULL,NULL,NULL,'aud_01G7H9JPYD9NBXTD7F0F6467RM',NULL,NULL,NULL);
INSERT INTO services VALUES(1000026,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','active','pln_01G7H9JPYD4WQW658CD9TTKFNS',NULL,NULL,'Made 1','made1@example.com','made1@example.com','made 1',0,1795604258435,1798196258435,NULL,NULL,NULL,NULL,1795604339912,2113058435,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO services VALUES(1000027,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','active','pln_01G7H9JPYD4WQW658CD9TTKFNS',NULL,NULL,'Made 2','made2@example.com','made2@example.com','made 2',0,1795604258589,1798196258589,NULL,NULL,NULL,NULL,1795604289400,2113058589,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO services VALUES(1000028,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','active','pln_01G7H9JPYD4WQW658CD9TTKFNS',NULL,NULL,'Made 3','made3@example.com','made3@example.com','made 3',0,1795604258715,1798196258715,NULL,'immediate',1795604289598,'req_01M895P61YDBWJZ7ZGJJASSJ3Y',1795604289598,2113058715,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO services VALUES(1000029,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','suspended','pln_01G7H9JPYD4WQW658CD9TTKFNS',NULL,NULL,'Made 4','made4@example.com','made4@example.com','made 4',0,1795604258918,1798196258918,NULL,NULL,NULL,NULL,1795604362087,2113058918,'operator','abuse',1795604362087,NULL,NULL,NULL,NULL);
INSERT INTO services VALUES(1000030,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','active','pln_01G7H9JPYD4WQW658CD9TTKFNS',NULL,NULL,'Made 5','made5@example.com','made5@example.com','made 5',0,1795604259167,1798196259167,NULL,NULL,NULL,NULL,1795604260167,2113059167,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO services VALUES(1000031,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','active','pln_01G7H9JPYD4WQW658CD9TTKFNS',NULL,NULL,'Made 6','made6@example.com','made6@example.com','made 6',0,1795604260169,1798196260169,NULL,NULL,NULL,NULL,1795604260466,2113060169,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO services VALUES(1000032,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','pending','pln_01G7H9JPYD4WQW658CD9TTKFNS',NULL,NULL,'Waiting','waiting@example.com','waiting@example.com','waiting',0,1795604289054,1798196289054,NULL,NULL,NULL,NULL,1795604289054,2113089054,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO services VALUES(1000101,'brk_01G7H9JPYDQ4YTMFX0THEJ0TX4','active','pln_01G7H9JPYD9Y7NHNDDR4YMQDP6','www.example.net','C-1000101','Yara Example','client-1000101@example.com','client-1000101@example.com','www.example.netZyara exampleZc-1000101',0,1790380800000,1796860800000,NULL,NULL,NULL,NULL,1790380800000,777600000,NULL,NULL,NULL,'aud_01G7H9JPYDWTQDAFY8H382R6GW',NULL,NULL,NULL);
INSERT INTO services VALUES(1000102,'brk_01G7H9JPYDQ4YTMFX0THEJ0TX4','active','pln_01G7H9JPYDA7AM9FAQQQDD2MCW','mail.example.net','C-1000102','Zoe Example','client-1000102@example.com','client-1000102@example.com','mail.example.netZzoe exampleZc-1000102',0,1791244800000,1796428800000,NULL,NULL,NULL,NULL,1791244800000,345600000,NULL,NULL,NULL,'aud_01G7H9JPYDWTQDAFY8H382R6GW',NULL,NULL,NULL);
INSERT INTO services VALUES(1000103,'brk_01G7H9JPYDQ4YTMFX0THEJ0TX4','cancelled','pln_01G7H9JPYD9Y7NHNDDR4YMQDP6','old.example.net','C-1000103','Zoe Example','client-1000103@example.com','client-1000103@example.com','old.example.netZzoe exampleZc-1000103',0,1752364800000,NULL,1793836800000,NULL,NULL,NULL,1793836800000,NULL,NULL,NULL,NULL,'aud_01G7H9JPYDWTQDAFY8H382R6GW',NULL,NULL,NULL);
INSERT INTO services VALUES(1000901,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','terminated','pln_01G7H9JPYD4WQW658CD9TTKFNS','Composed été',NULL,'Renée Composed','renée@example.com','renée@example.com','composed étéZrenée composed',0,1795604183521,NULL,1795604183521,NULL,NULL,NULL,1795604183549,NULL,NULL,NULL,NULL,'aud_01M895JYF1V797XK6C7N86TX7W',NULL,NULL,NULL);
INSERT INTO services VALUES(1000902,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','terminated','pln_01G7H9JPYD4WQW658CD9TTKFNS','Decomposed été',NULL,'Renée Decomposed','renée@example.com','renée@example.com','decomposed étéZrenée decomposed',0,1795604183521,NULL,1795604183521,NULL,NULL,NULL,1795604183549,NULL,NULL,NULL,NULL,'aud_01M895JYF1V797XK6C7N86TX7W',NULL,NULL,NULL);
INSERT INTO services VALUES(1000903,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','active','pln_01G7H9JPYD4WQW658CD9TTKFNS',NULL,NULL,'İpek İstanbul','İpek@example.com','ipek@example.com','ipek istanbul',0,1795604183521,1798196183521,NULL,NULL,NULL,NULL,1795604183549,2112983521,NULL,NULL,NULL,'aud_01M895JYF1V797XK6C7N86TX7W',NULL,NULL,NULL);
CREATE TABLE `settings` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
INSERT INTO settings VALUES('sandbox_secret','8e539f140a6261f76f989557ccf35ae16d137c4abc80aea4077490b460ecdc10');
INSERT INTO settings VALUES('oldest_release','1.1.0');
CREATE TABLE `template_versions` (
	`broker_id` text NOT NULL,
	`kind` text NOT NULL,
	`version` integer NOT NULL,
	`subject` text NOT NULL,
	`html` text NOT NULL,
	`text` text NOT NULL,
	`actor` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`broker_id`, `kind`, `version`),
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action
);
INSERT INTO template_versions VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','cancellation-warning',1,'Your service {{ service_number }}{% if service_label != "" %} ({{ service_label }}){% endif %} is at risk of cancellation',replace('<!doctype html>\n<html lang="en">\n<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em; margin: 2em auto">\n<p>Dear {{ client_name }},</p>\n<p>we may have to cancel your service <strong>{{ service_number }}</strong>{% if service_label != "" %} ({{ service_label }}){% endif %} on the plan {{ plan_name }}. The reason:</p>\n<blockquote>{{ warning_reason | newline_to_br }}</blockquote>\n{% if renewal_date != "" %}<p>Please get in touch before <strong>{{ renewal_date }}</strong>, so that it can go on without interruption.</p>{% endif %}\n<p>Nothing has been cancelled yet. If the matter is settled already, you need not do anything.</p>\n<p>Kind regards,<br>{{ broker_name }}</p>\n</body>\n</html>\n','\n',char(10)),replace('Dear {{ client_name }},\n\nwe may have to cancel your service {{ service_number }}{% if service_label != "" %} ({{ service_label }}){% endif %} on the plan {{ plan_name }}. The reason:\n\n    {{ warning_reason }}\n{% if renewal_date != "" %}\nPlease get in touch before {{ renewal_date }}, so that it can go on without interruption.\n{% endif %}\nNothing has been cancelled yet. If the matter is settled already, you need not do anything.\n\nKind regards,\n{{ broker_name }}\n','\n',char(10)),'ada',1657364110285);
INSERT INTO template_versions VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','service-created',1,'Your new service {{ service_number }} is ready',replace('<!doctype html>\n<html lang="en">\n<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em; margin: 2em auto">\n<p>Dear {{ client_name }},</p>\n<p>welcome! Your service <strong>{{ service_number }}</strong>{% if service_label != "" %} ({{ service_label }}){% endif %} on the plan {{ plan_name }} is ready for you.</p>\n<p>Kind regards,<br>{{ broker_name }}</p>\n</body>\n</html>\n','\n',char(10)),replace('Dear {{ client_name }},\n\nwelcome! Your service {{ service_number }}{% if service_label != "" %} ({{ service_label }}){% endif %} on the plan {{ plan_name }} is ready for you.\n\nKind regards,\n{{ broker_name }}\n','\n',char(10)),'ada',1657364110285);
CREATE TABLE `templates` (
	`broker_id` text NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`html` text NOT NULL,
	`text` text NOT NULL,
	`active` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`broker_id`, `kind`),
	FOREIGN KEY (`broker_id`) REFERENCES `brokers`(`id`) ON UPDATE no action ON DELETE no action
);
INSERT INTO templates VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','cancellation-warning','Your service {{ service_number }}{% if service_label != "" %} ({{ service_label }}){% endif %} is at risk of cancellation',replace('<!doctype html>\n<html lang="en">\n<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em; margin: 2em auto">\n<p>Dear {{ client_name }},</p>\n<p>we may have to cancel your service <strong>{{ service_number }}</strong>{% if service_label != "" %} ({{ service_label }}){% endif %} on the plan {{ plan_name }}. The reason:</p>\n<blockquote>{{ warning_reason | newline_to_br }}</blockquote>\n{% if renewal_date != "" %}<p>Please get in touch before <strong>{{ renewal_date }}</strong>, so that it can go on without interruption.</p>{% endif %}\n<p>Nothing has been cancelled yet. If the matter is settled already, you need not do anything.</p>\n<p>Kind regards,<br>{{ broker_name }}</p>\n</body>\n</html>\n','\n',char(10)),replace('Dear {{ client_name }},\n\nwe may have to cancel your service {{ service_number }}{% if service_label != "" %} ({{ service_label }}){% endif %} on the plan {{ plan_name }}. The reason:\n\n    {{ warning_reason }}\n{% if renewal_date != "" %}\nPlease get in touch before {{ renewal_date }}, so that it can go on without interruption.\n{% endif %}\nNothing has been cancelled yet. If the matter is settled already, you need not do anything.\n\nKind regards,\n{{ broker_name }}\n','\n',char(10)),1,1657364110285);
INSERT INTO templates VALUES('brk_01G7H9JPYDG6JFF0Z4976SK0DX','service-created','Your new service {{ service_number }} is ready',replace('<!doctype html>\n<html lang="en">\n<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em; margin: 2em auto">\n<p>Dear {{ client_name }},</p>\n<p>welcome! Your service <strong>{{ service_number }}</strong>{% if service_label != "" %} ({{ service_label }}){% endif %} on the plan {{ plan_name }} is ready for you.</p>\n<p>Kind regards,<br>{{ broker_name }}</p>\n</body>\n</html>\n','\n',char(10)),replace('Dear {{ client_name }},\n\nwelcome! Your service {{ service_number }}{% if service_label != "" %} ({{ service_label }}){% endif %} on the plan {{ plan_name }} is ready for you.\n\nKind regards,\n{{ broker_name }}\n','\n',char(10)),1,1657364110285);
CREATE TABLE `usage` (
	`stage` integer NOT NULL,
	`from_at` integer NOT NULL,
	`broker_id` text NOT NULL,
	`key_id` text NOT NULL,
	`operation` text NOT NULL,
	`outcome` text NOT NULL,
	`gate` integer NOT NULL,
	`calls` integer NOT NULL,
	`d0` integer NOT NULL,
	`d1` integer NOT NULL,
	`d2` integer NOT NULL,
	`d3` integer NOT NULL,
	`d4` integer NOT NULL,
	`d5` integer NOT NULL,
	`d6` integer NOT NULL,
	`d7` integer NOT NULL,
	`d8` integer NOT NULL,
	`d9` integer NOT NULL,
	`d10` integer NOT NULL,
	`d11` integer NOT NULL,
	`d12` integer NOT NULL,
	`d13` integer NOT NULL,
	`d14` integer NOT NULL,
	`d15` integer NOT NULL,
	`d16` integer NOT NULL,
	`d17` integer NOT NULL,
	`d18` integer NOT NULL,
	`d19` integer NOT NULL,
	`d20` integer NOT NULL,
	`d21` integer NOT NULL,
	`d22` integer NOT NULL,
	`d23` integer NOT NULL,
	`d24` integer NOT NULL,
	`d25` integer NOT NULL,
	`d26` integer NOT NULL,
	`d27` integer NOT NULL,
	`busiest` integer,
	PRIMARY KEY(`stage`, `from_at`, `broker_id`, `key_id`, `operation`, `outcome`, `gate`)
);
INSERT INTO usage VALUES(2,1795600800000,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','key_01M895GQ7EN5K5N1DJBEY8Z06C','checkAccess','ok',9,34,0,0,0,9,23,2,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,NULL);
INSERT INTO usage VALUES(3,1795564800000,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','key_01M895GQ7EN5K5N1DJBEY8Z06C','checkAccess','ok',9,183,0,0,0,50,103,24,0,6,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,NULL);
INSERT INTO usage VALUES(7,1795600800000,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','key_01M895GQ7EN5K5N1DJBEY8Z06C','','',0,3,0,0,0,0,0,0,0,0,0,0,0,0,1,0,2,0,0,0,0,0,0,0,0,0,0,0,0,0,NULL);
INSERT INTO usage VALUES(7,1795600800000,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','key_01M895GQ7EN5K5N1DJBEY8Z06C','','ok',0,11,0,0,0,0,0,0,0,0,0,0,0,1,1,1,0,3,1,3,1,0,0,0,0,0,0,0,0,0,NULL);
INSERT INTO usage VALUES(8,1795564800000,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','key_01M895GQ7EN5K5N1DJBEY8Z06C','','',0,3,0,0,0,0,0,0,0,0,0,0,0,0,1,0,2,0,0,0,0,0,0,0,0,0,0,0,0,0,NULL);
INSERT INTO usage VALUES(8,1795564800000,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','key_01M895GQ7EN5K5N1DJBEY8Z06C','','ok',0,11,0,0,0,0,0,0,0,0,0,0,0,1,1,1,0,3,1,3,1,0,0,0,0,0,0,0,0,0,NULL);
INSERT INTO usage VALUES(9,1795604280276,'','4283913f-54ee-48c3-bdca-357c262429db','','',0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,NULL);
INSERT INTO usage VALUES(1,1795604280000,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','key_01M895GQ7EN5K5N1DJBEY8Z06C','cancelService','ok',9,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,NULL);
INSERT INTO usage VALUES(1,1795604280000,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','key_01M895GQ7EN5K5N1DJBEY8Z06C','createService','ok',9,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,NULL);
INSERT INTO usage VALUES(2,1795600800000,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','key_01M895GQ7EN5K5N1DJBEY8Z06C','cancelService','ok',9,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,NULL);
INSERT INTO usage VALUES(3,1795564800000,'brk_01G7H9JPYDG6JFF0Z4976SK0DX','key_01M895GQ7EN5K5N1DJBEY8Z06C','cancelService','ok',9,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,NULL);
INSERT INTO usage VALUES(4,1795604280000,'','','','invalid_parameter',8,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,NULL);
INSERT INTO usage VALUES(4,1795604280000,'','','','invalid_state',8,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,NULL);
INSERT INTO usage VALUES(5,1795600800000,'','','','invalid_parameter',8,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,NULL);
INSERT INTO usage VALUES(5,1795600800000,'','','','invalid_state',8,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,NULL);
INSERT INTO usage VALUES(6,1795564800000,'','','','invalid_parameter',8,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,NULL);
INSERT INTO usage VALUES(6,1795564800000,'','','','invalid_state',8,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,NULL);
INSERT INTO usage VALUES(9,1795604333194,'','f19aaa53-958f-4cf8-9039-1e2286133237','','',0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,NULL);
CREATE TABLE `consumption` (
	`service_number` integer PRIMARY KEY NOT NULL,
	`broker_id` text NOT NULL,
	`measured_at` integer NOT NULL,
	`period_from` integer,
	`disk_gb_used` text,
	`transfer_gb_used` text,
	FOREIGN KEY (`service_number`) REFERENCES `services`(`number`) ON UPDATE no action ON DELETE cascade
);
INSERT INTO consumption VALUES(1000001,'brk_01G7H9JPYDG6JFF0Z4976SK0DX',1795132800000,NULL,'12.5',NULL);
CREATE TABLE `plan_offers` (
	`plan_id` text PRIMARY KEY NOT NULL,
	`broker_id` text NOT NULL,
	`options` text NOT NULL,
	`actions` text NOT NULL,
	`has_credentials` integer NOT NULL,
	`provisioning` text,
	FOREIGN KEY (`plan_id`) REFERENCES `plans`(`id`) ON UPDATE no action ON DELETE cascade
);
INSERT INTO plan_offers VALUES('pln_01G7H9JPYD4WQW658CD9TTKFNS','brk_01G7H9JPYDG6JFF0Z4976SK0DX','[{"name":"image","display_name":"Image","description":null,"type":"choice","required":false,"default":"debian-13","choices":[{"value":"debian-13","display_name":"Debian 13"}]},{"name":"hostname","display_name":"Host name","description":null,"type":"text","required":false,"default":null,"max_length":253,"format":"hostname"}]','[{"name":"reboot","display_name":"Restart","description":null,"options":[],"requires_operator_review":false,"destroys_data":false}]',1,NULL);
CREATE TABLE `operator_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`public_id` text NOT NULL,
	`hash` text NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`addresses` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	`last_used_ip` text
);
INSERT INTO operator_keys VALUES('opk_01M8F4Z74DV2E7KWF2383B4ZJJ','lMTJacWj','55d224c828c30ba85227fe3117225d4561104a00dcb8f01d9ee87a9650a4cb7f','billing system','support','[]','active',1795804863629,NULL,NULL,NULL);
CREATE UNIQUE INDEX `api_keys_publicId_unique` ON `api_keys` (`public_id`);
CREATE INDEX `api_keys_by_broker` ON `api_keys` (`broker_id`,`created_at`);
CREATE INDEX `api_keys_newest` ON `api_keys` (`created_at`,`public_id`);
CREATE INDEX `audit_trail_by_broker` ON `audit_trail` (`broker_id`,`id`);
CREATE INDEX `audit_trail_by_actor` ON `audit_trail` (`actor`,`id`);
CREATE INDEX `audit_trail_by_subject` ON `audit_trail` (`subject`,`id`);
CREATE UNIQUE INDEX `brokers_slug_unique` ON `brokers` (`slug`);
CREATE INDEX `calls_newest` ON `calls` (`at`,`request_id`);
CREATE INDEX `calls_by_broker` ON `calls` (`broker_id`,`at`);
CREATE INDEX `calls_by_key` ON `calls` (`key_id`,`at`);
CREATE INDEX `calls_by_code` ON `calls` (`code`,`at`) WHERE code is not null;
CREATE INDEX `console_links_by_operator` ON `console_links` (`operator_id`,`created_at`);
CREATE UNIQUE INDEX `console_sessions_tokenHash_unique` ON `console_sessions` (`token_hash`);
CREATE INDEX `console_sessions_by_operator` ON `console_sessions` (`operator_id`,`created_at`);
CREATE INDEX `email_log_newest` ON `email_log` (`broker_id`,`created_at`,`id`);
CREATE INDEX `email_log_of_service` ON `email_log` (`broker_id`,`service_number`,`created_at`);
CREATE INDEX `email_log_to_erase` ON `email_log` (`created_at`) WHERE erased_at is null;
CREATE INDEX `email_log_undecided` ON `email_log` (`created_at`) WHERE status in ('open', 'unknown');
CREATE UNIQUE INDEX `firewall_rules_once` ON `firewall_rules` (`broker_id`,`rule`);
CREATE INDEX `idempotency_expiry` ON `idempotency_records` (`expires_at`) WHERE expires_at is not null;
CREATE INDEX `invoices_issued` ON `invoices` (`broker_id`,`issued_at`,`invoice_number`);
CREATE INDEX `invoices_by_service` ON `invoices` (`broker_id`,`service_number`,`issued_at`,`invoice_number`);
CREATE UNIQUE INDEX `operators_emailFolded_unique` ON `operators` (`email_folded`);
CREATE UNIQUE INDEX `plans_slug_once` ON `plans` (`broker_id`,`slug_folded`);
CREATE UNIQUE INDEX `plans_display_name_once` ON `plans` (`broker_id`,`display_name_folded`);
CREATE INDEX `plans_in_order` ON `plans` (`broker_id`,`upgrade_rank`,`id`);
CREATE INDEX `request_history_in_order` ON `request_history` (`request_id`,`at`,`id`);
CREATE INDEX `requests_newest` ON `requests` (`broker_id`,submitted_at desc,`id`);
CREATE INDEX `requests_by_status` ON `requests` (`broker_id`,`status`,submitted_at desc,`id`);
CREATE INDEX `requests_by_type` ON `requests` (`broker_id`,`type`,submitted_at desc,`id`);
CREATE INDEX `requests_by_service` ON `requests` (`broker_id`,`service_number`,submitted_at desc,`id`);
CREATE INDEX `requests_in_step` ON `requests` (`broker_id`,`updated_at`,`id`);
CREATE INDEX `requests_refused` ON `requests` (`id`) WHERE status in ('failed', 'denied');
CREATE INDEX `requests_due` ON `requests` (`due_at`) WHERE due_at is not null;
CREATE INDEX `requests_open` ON `requests` (`service_number`) WHERE status in ('pending', 'operator_review', 'accepted');
CREATE UNIQUE INDEX `requests_one_open_plan_change` ON `requests` (`service_number`) WHERE type in ('plan-upgrade', 'plan-downgrade') and status in ('pending', 'operator_review', 'accepted');
CREATE UNIQUE INDEX `requests_one_open_cancellation` ON `requests` (`service_number`) WHERE type = 'cancellation' and status in ('pending', 'operator_review', 'accepted');
CREATE INDEX `services_newest` ON `services` (`broker_id`,`created_at`,`number`);
CREATE INDEX `services_by_status` ON `services` (`broker_id`,`status`,`created_at`,`number`);
CREATE INDEX `services_by_plan` ON `services` (`broker_id`,`plan_id`,`created_at`,`number`);
CREATE INDEX `services_by_email` ON `services` (`broker_id`,`client_email_folded`,`created_at`,`number`);
CREATE INDEX `services_by_renewal` ON `services` (`broker_id`,`renewal_at`,`created_at`,`number`);
CREATE INDEX `services_by_reference` ON `services` (`broker_id`,`external_reference`,`created_at`,`number`) WHERE external_reference is not null;
CREATE INDEX `services_by_update` ON `services` (`broker_id`,`updated_at`,`number`);
CREATE INDEX `services_of_import` ON `services` (`broker_id`,`import_id`,`number`) WHERE import_id is not null;
CREATE INDEX `services_to_renew` ON `services` (`renewal_at`) WHERE renewal_at is not null and status in ('pending', 'active', 'suspended');
CREATE INDEX `usage_by_broker` ON `usage` (`broker_id`,`stage`,`from_at`);
CREATE INDEX `consumption_by_number` ON `consumption` (`broker_id`,`service_number`);
CREATE UNIQUE INDEX `requests_one_open_suspend` ON `requests` (`service_number`) WHERE type = 'service-suspension' and status in ('pending', 'operator_review', 'accepted');
CREATE UNIQUE INDEX `requests_one_open_unsuspend` ON `requests` (`service_number`) WHERE type = 'service-unsuspension' and status in ('pending', 'operator_review', 'accepted');
CREATE UNIQUE INDEX `requests_one_open_action` ON `requests` (`service_number`) WHERE type = 'service-action' and status in ('pending', 'operator_review', 'accepted');
CREATE UNIQUE INDEX `operator_keys_publicId_unique` ON `operator_keys` (`public_id`);
CREATE VIRTUAL TABLE service_search USING fts5(search_text, content = 'services', content_rowid = 'number', tokenize = 'trigram case_sensitive 1');
INSERT INTO service_search (service_search) VALUES ('rebuild');
CREATE TRIGGER services_search_insert AFTER INSERT ON services BEGIN
  INSERT INTO service_search (rowid, search_text) VALUES (new.number, new.search_text);
END;
CREATE TRIGGER services_search_update AFTER UPDATE OF search_text ON services WHEN old.search_text <> new.search_text BEGIN
  INSERT INTO service_search (service_search, rowid, search_text) VALUES ('delete', old.number, old.search_text);
  INSERT INTO service_search (rowid, search_text) VALUES (new.number, new.search_text);
END;
CREATE TRIGGER services_search_delete AFTER DELETE ON services BEGIN
  INSERT INTO service_search (service_search, rowid, search_text) VALUES ('delete', old.number, old.search_text);
END;
CREATE TRIGGER audit_trail_kept_as_written BEFORE UPDATE ON audit_trail BEGIN
  SELECT RAISE(ABORT, 'the audit trail is never changed');
END;
CREATE TRIGGER audit_trail_never_replaced BEFORE INSERT ON audit_trail
WHEN EXISTS (SELECT 1 FROM audit_trail WHERE id = new.id) OR EXISTS (SELECT 1 FROM audit_trail WHERE rowid = new.rowid) BEGIN
  SELECT RAISE(ABORT, 'the audit trail is never changed');
END;
CREATE TRIGGER services_suspension AFTER UPDATE ON services
WHEN (new.status = 'suspended') = (new.suspended_at IS NULL)
BEGIN
  UPDATE services SET
    suspended_by = CASE new.status WHEN 'suspended' THEN 'operator' END,
    suspension_reason = NULL,
    suspended_at = CASE WHEN new.status = 'suspended'
      THEN CASE old.status WHEN 'suspended' THEN old.updated_at ELSE new.updated_at END END
  WHERE number = new.number;
END;
CREATE TRIGGER audit_trail_kept_a_year BEFORE DELETE ON audit_trail
WHEN old.at > unixepoch('subsec') * 1000 - 31536000000 BEGIN
  SELECT RAISE(ABORT, 'the audit trail is kept for 365 days');
END;
