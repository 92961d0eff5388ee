-- Volunteers mend what visitors bring. Some names have blanks or are words of SQL, as real ones do.
CREATE TABLE volunteer (
    volunteer_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    skill TEXT NOT NULL,
    "first evening" TEXT NOT NULL,
    mentor_id INTEGER REFERENCES volunteer (volunteer_id)
);
CREATE TABLE item (
    item_id INTEGER PRIMARY KEY,
    owner TEXT NOT NULL,
    kind TEXT NOT NULL,
    brand TEXT,
    weight_kg REAL NOT NULL,
    bought INTEGER
);
CREATE TABLE repair (
    repair_id INTEGER PRIMARY KEY,
    item_id INTEGER NOT NULL REFERENCES item (item_id),
    volunteer_id INTEGER REFERENCES volunteer (volunteer_id),
    evening TEXT NOT NULL,
    minutes INTEGER NOT NULL CHECK (minutes >= 0),
    outcome TEXT
);
CREATE TABLE "order" (
    order_no INTEGER PRIMARY KEY,
    repair_id INTEGER NOT NULL REFERENCES repair (repair_id),
    "part name" TEXT NOT NULL,
    "group" TEXT NOT NULL,
    price REAL NOT NULL
);

INSERT INTO volunteer VALUES
    (1, 'Hana Brook', 'electrics', '2020-05-12', NULL),
    (2, 'Tomas Reed', 'electrics', '2020-10-08', 1),
    (3, 'Ife Okoro', 'textiles', '2020-04-27', NULL),
    (4, 'Joss Hale', 'wood', '2017-10-24', 1),
    (5, 'Mina Sato', 'electrics', '2021-03-18', 1),
    (6, 'Piet Maas', 'bicycles', '2021-01-16', NULL),
    (7, 'Ulla Berg', 'textiles', '2018-10-21', 3),
    (8, 'Ravi Nair', 'bicycles', '2022-06-20', 6),
    (9, 'Sol Ortega', 'electrics', '2018-07-07', 2),
    (10, 'Dora Finch', 'wood', '2022-04-15', 4),
    (11, 'Axel Thorn', 'clocks', '2020-03-19', NULL),
    (12, 'Wren Oakes', 'textiles', '2022-06-14', 3);

INSERT INTO item VALUES
    (1, 'Mrs Ansell', 'toaster', 'Brava', 1.6, 2011),
    (2, 'Mr Coyle', 'kettle', 'Brava', 1.1, 2018),
    (3, 'Mr Coyle', 'lamp', NULL, 2.3, 1974),
    (4, 'Ms Idris', 'bicycle', 'Falk', 13.5, 2009),
    (5, 'Mrs Ansell', 'radio', 'Tonal', 3.2, 1969),
    (6, 'Ms Larch', 'jacket', NULL, 0.9, 2015),
    (7, 'Mr Boon', 'chair', NULL, 6.4, NULL),
    (8, 'Ms Idris', 'toaster', 'Hask', 1.9, 2016),
    (9, 'Mr Vance', 'bicycle', 'Falk', 12.1, 2014),
    (10, 'Ms Larch', 'kettle', 'Hask', 1.2, 2020),
    (11, 'Mr Boon', 'clock', 'Orrery', 4.0, 1951),
    (12, 'Mrs Quill', 'lamp', 'Lumo', 1.7, 2012),
    (13, 'Mr Vance', 'radio', 'Tonal', 2.8, 1983),
    (14, 'Mrs Quill', 'jacket', 'Wold', 1.3, 2019),
    (15, 'Ms Hobb', 'mixer', 'Brava', 5.2, 2005),
    (16, 'Mr Pike', 'chair', NULL, 7.1, 1990),
    (17, 'Ms Hobb', 'bicycle', 'Orrin', 14.8, NULL),
    (18, 'Mr Pike', 'toaster', 'Brava', 1.5, 2021);

INSERT INTO repair VALUES
    (1, 1, 1, '2024-01-03', 100, 'fixed'),
    (2, 2, 2, '2024-01-03', 31, 'fixed'),
    (3, 3, 5, '2024-01-10', 88, 'fixed'),
    (4, 4, 6, '2024-01-10', 44, 'fixed'),
    (5, 5, 1, '2024-01-17', 20, 'part needed'),
    (6, 6, 3, '2024-01-17', 48, 'fixed'),
    (7, 8, 2, '2024-02-03', 79, 'beyond repair'),
    (8, 9, 8, '2024-02-03', 81, 'fixed'),
    (9, 10, 9, '2024-02-10', 108, 'fixed'),
    (10, 11, 11, '2024-02-10', 83, 'part needed'),
    (11, 12, 5, '2024-02-17', 83, 'fixed'),
    (12, 13, 1, '2024-02-17', 14, 'fixed'),
    (13, 14, 7, '2024-03-03', 30, 'fixed'),
    (14, 15, NULL, '2024-03-03', 12, 'beyond repair'),
    (15, 4, 6, '2024-03-10', 89, 'fixed'),
    (16, 3, 4, '2024-03-10', 17, 'fixed'),
    (17, 1, 2, '2024-03-17', 52, NULL),
    (18, 5, 1, '2024-03-17', 27, 'fixed'),
    (19, 17, 8, '2024-04-03', 48, 'part needed'),
    (20, 9, 6, '2024-04-03', 88, 'fixed'),
    (21, 8, 9, '2024-04-10', 82, 'fixed'),
    (22, 15, NULL, '2024-04-10', 34, 'part needed'),
    (23, 12, 5, '2024-04-17', 15, 'fixed'),
    (24, 11, 11, '2024-04-17', 40, 'fixed'),
    (25, 2, 2, '2024-05-03', 27, 'fixed'),
    (26, 6, 3, '2024-05-03', 27, NULL),
    (27, 16, 4, '2024-05-10', 20, 'fixed');

INSERT INTO "order" VALUES
    (1, 5, 'mains fuse', 'electric', 2.4),
    (2, 5, 'tuning knob', 'electric', 6.9),
    (3, 10, 'mainspring', 'clockwork', 31.0),
    (4, 14, 'mixer belt', 'drive', 8.5),
    (5, 19, 'brake cable', 'bicycle', 7.2),
    (6, 22, 'whisk shaft', 'drive', 14.0),
    (7, 5, 'speaker cone', 'electric', 18.5),
    (8, 10, 'balance staff', 'clockwork', 24.0),
    (9, 7, 'heating wire', 'electric', 5.6),
    (10, 19, 'inner tube', 'bicycle', 6.0),
    (11, 14, 'gear wheel', 'drive', 11.2),
    (12, 22, 'seal ring', 'drive', 3.3),
    (13, 1, 'crumb tray', 'electric', 4.1);
