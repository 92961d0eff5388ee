-- Hives numbered within their apiary; a hive may have been split from another one.
CREATE TABLE apiary (
    apiary_id INTEGER PRIMARY KEY,
    place TEXT NOT NULL,
    altitude INTEGER NOT NULL,
    landowner TEXT
);
CREATE TABLE hive (
    apiary_id INTEGER NOT NULL REFERENCES apiary (apiary_id),
    hive_no INTEGER NOT NULL,
    breed TEXT NOT NULL,
    queen_year INTEGER,
    split_apiary INTEGER,
    split_hive INTEGER,
    PRIMARY KEY (apiary_id, hive_no),
    FOREIGN KEY (split_apiary, split_hive) REFERENCES hive (apiary_id, hive_no)
);
CREATE TABLE harvest (
    harvest_id INTEGER PRIMARY KEY,
    apiary_id INTEGER NOT NULL,
    hive_no INTEGER NOT NULL,
    gathered TEXT NOT NULL,
    honey TEXT NOT NULL,
    kilos REAL NOT NULL,
    FOREIGN KEY (apiary_id, hive_no) REFERENCES hive (apiary_id, hive_no)
);
CREATE TABLE treatment (
    apiary_id INTEGER NOT NULL,
    hive_no INTEGER NOT NULL,
    applied TEXT NOT NULL,
    product TEXT NOT NULL,
    dose_ml INTEGER,
    PRIMARY KEY (apiary_id, hive_no, applied),
    FOREIGN KEY (apiary_id, hive_no) REFERENCES hive (apiary_id, hive_no)
);

INSERT INTO apiary VALUES
    (1, 'Limetree Lane', 120, 'Agnes Pohl'),
    (2, 'Heather Rise', 410, NULL),
    (3, 'Mill Orchard', 95, 'Jan Kubik'),
    (4, 'Chapel Wood', 260, 'Agnes Pohl'),
    (5, 'Quarry Edge', 330, 'Dana Orel'),
    (6, 'Station Bank', 105, NULL),
    (7, 'Upper Fold', 465, 'Jan Kubik'),
    (8, 'Pear Garth', 150, 'Milo Hajek'),
    (9, 'Reed Dyke', 15, 'Vera Zima'),
    (10, 'Gorse Hill', 380, 'Otto Klima');

INSERT INTO hive VALUES
    (1, 1, 'Buckfast', 2021, NULL, NULL),
    (1, 2, 'Carnica', 2022, NULL, NULL),
    (1, 3, 'Buckfast', 2022, 1, 1),
    (1, 4, 'Mellifera', 2024, 1, 3),
    (2, 1, 'Carnica', 2023, NULL, NULL),
    (2, 2, 'Mellifera', 2024, NULL, NULL),
    (2, 3, 'Carnica', 2021, NULL, NULL),
    (3, 1, 'Mellifera', 2021, 2, 3),
    (3, 2, 'Ligustica', 2025, NULL, NULL),
    (3, 3, 'Mellifera', 2021, NULL, NULL),
    (3, 4, 'Buckfast', 2024, NULL, NULL),
    (4, 1, 'Ligustica', 2024, 1, 2),
    (4, 2, 'Buckfast', 2022, NULL, NULL),
    (5, 1, 'Buckfast', 2025, NULL, NULL),
    (5, 2, 'Carnica', 2025, NULL, NULL),
    (5, 3, 'Buckfast', 2025, NULL, NULL),
    (6, 1, 'Carnica', 2021, NULL, NULL),
    (6, 2, 'Mellifera', NULL, NULL, NULL),
    (7, 1, 'Mellifera', 2022, NULL, NULL),
    (7, 2, 'Ligustica', 2021, 3, 4),
    (7, 3, 'Mellifera', 2022, 3, 4),
    (8, 1, 'Ligustica', NULL, 2, 2),
    (10, 1, 'Carnica', 2024, NULL, NULL);

INSERT INTO harvest VALUES
    (1, 1, 1, '2024-03-12', 'blossom', 17.75),
    (2, 1, 1, '2023-03-05', 'heather', 19.75),
    (3, 1, 2, '2023-09-25', 'blossom', 12.25),
    (4, 1, 3, '2025-07-10', 'lime', 16.25),
    (5, 1, 4, '2024-03-13', 'heather', 18.25),
    (6, 2, 1, '2024-05-10', 'forest', 4.0),
    (7, 2, 1, '2025-04-14', 'blossom', 14.75),
    (8, 2, 2, '2023-09-27', 'heather', 22.0),
    (9, 3, 1, '2024-04-12', 'blossom', 14.25),
    (10, 3, 2, '2024-06-24', 'blossom', 20.5),
    (11, 3, 3, '2025-08-26', 'forest', 4.5),
    (12, 4, 1, '2023-01-21', 'forest', 5.25),
    (13, 4, 2, '2025-02-19', 'lime', 3.5),
    (14, 4, 2, '2023-10-07', 'forest', 13.0),
    (15, 5, 1, '2024-02-25', 'heather', 5.25),
    (16, 5, 3, '2023-05-04', 'forest', 16.75),
    (17, 6, 1, '2024-08-22', 'forest', 14.75),
    (18, 6, 2, '2025-11-16', 'lime', 4.0),
    (19, 7, 1, '2024-08-22', 'heather', 17.75),
    (20, 7, 2, '2024-02-26', 'lime', 14.25),
    (21, 7, 3, '2024-07-27', 'blossom', 21.0),
    (22, 8, 1, '2025-12-03', 'heather', 18.0),
    (23, 1, 2, '2024-01-01', 'blossom', 14.75),
    (24, 3, 2, '2023-07-08', 'blossom', 18.25),
    (25, 4, 2, '2024-03-07', 'heather', 14.25),
    (26, 5, 3, '2024-12-14', 'heather', 8.75);

INSERT INTO treatment VALUES
    (1, 2, '2024-04-21', 'thymol', 85),
    (1, 2, '2024-05-03', 'oxalic acid', 185),
    (1, 3, '2023-09-07', 'oxalic acid', 60),
    (1, 4, '2023-05-26', 'thymol', NULL),
    (1, 4, '2024-06-05', 'oxalic acid', 30),
    (2, 1, '2023-01-20', 'oxalic acid', NULL),
    (2, 1, '2025-08-03', 'thymol', 75),
    (3, 1, '2023-07-15', 'thymol', 105),
    (3, 1, '2024-07-01', 'thymol', NULL),
    (3, 3, '2023-04-15', 'formic acid', NULL),
    (3, 4, '2023-09-27', 'oxalic acid', 40),
    (4, 1, '2023-10-05', 'thymol', 180),
    (4, 1, '2025-02-04', 'formic acid', NULL),
    (4, 1, '2025-04-16', 'oxalic acid', 180),
    (4, 1, '2025-09-25', 'oxalic acid', 45),
    (4, 2, '2024-01-15', 'formic acid', 30),
    (5, 1, '2024-06-05', 'oxalic acid', 15),
    (5, 1, '2025-07-21', 'oxalic acid', 90),
    (5, 3, '2024-04-08', 'thymol', NULL),
    (5, 3, '2024-10-12', 'thymol', 20),
    (6, 1, '2025-07-02', 'formic acid', NULL),
    (6, 2, '2023-10-22', 'oxalic acid', 65);
