-- Ferries between islands. Sailings name their vessel as text, and no constraint says so.
CREATE TABLE port (
    port_code TEXT NOT NULL PRIMARY KEY,
    port_name TEXT NOT NULL,
    island TEXT NOT NULL,
    berths INTEGER NOT NULL
);
CREATE TABLE vessel (
    vessel_id INTEGER PRIMARY KEY,
    vessel_name TEXT NOT NULL,
    built INTEGER NOT NULL,
    capacity INTEGER NOT NULL,
    owner TEXT NOT NULL
);
CREATE TABLE route (
    route_id INTEGER PRIMARY KEY,
    from_port TEXT NOT NULL REFERENCES port (port_code),
    to_port TEXT NOT NULL REFERENCES port (port_code),
    miles REAL NOT NULL,
    season TEXT NOT NULL
);
CREATE TABLE sailing (
    route_id INTEGER NOT NULL REFERENCES route (route_id),
    departs TEXT NOT NULL,
    vessel_ref TEXT NOT NULL,
    passengers INTEGER NOT NULL,
    delay_minutes INTEGER,
    PRIMARY KEY (route_id, departs)
);

INSERT INTO port VALUES
    ('AVO', 'Avonhithe', 'Great Lomma', 5),
    ('BRA', 'Brackwater', 'Great Lomma', 3),
    ('CLY', 'Clyst Quay', 'Little Lomma', 2),
    ('DEN', 'Dennet', 'Little Lomma', 1),
    ('EIR', 'Eirvik', 'Saddle', 4),
    ('FAN', 'Fannock', 'Saddle', 2),
    ('GUL', 'Gull Landing', 'Ness Holm', 1),
    ('HOL', 'Holm Pier', 'Ness Holm', 2),
    ('IRE', 'Irewell', 'Thorsay', 6),
    ('JAR', 'Jarrow Slip', 'Thorsay', 2),
    ('KIL', 'Kilbeg', 'Uist Mor', 1);

INSERT INTO vessel VALUES
    (1, 'Kittiwake', 1978, 180, 'Lomma Line'),
    (2, 'Grey Seal', 1991, 240, 'Lomma Line'),
    (3, 'Stormcock', 1985, 95, 'Thorsay Boats'),
    (4, 'Fulmar', 2004, 310, 'Thorsay Boats'),
    (5, 'Merganser', 2011, 150, 'Lomma Line'),
    (6, 'Old Constance', 1962, 60, 'Harbour Trust'),
    (7, 'Shearwater', 2016, 420, 'Northern Isles'),
    (8, 'Petrel', 1999, 130, 'Northern Isles'),
    (9, 'Whimbrel', 2008, 205, 'Northern Isles'),
    (10, 'Redshank', 1973, 75, 'Harbour Trust');

INSERT INTO route VALUES
    (1, 'AVO', 'CLY', 6.5, 'all'),
    (2, 'AVO', 'EIR', 18.0, 'summer'),
    (3, 'BRA', 'DEN', 4.2, 'all'),
    (4, 'CLY', 'EIR', 13.1, 'all'),
    (5, 'EIR', 'IRE', 22.4, 'summer'),
    (6, 'FAN', 'GUL', 9.0, 'winter'),
    (7, 'IRE', 'AVO', 31.5, 'all'),
    (8, 'IRE', 'HOL', 27.3, 'summer'),
    (9, 'HOL', 'GUL', 3.8, 'all'),
    (10, 'DEN', 'FAN', 8.1, 'winter'),
    (11, 'AVO', 'BRA', 5.0, 'all'),
    (12, 'EIR', 'FAN', 2.9, 'all'),
    (13, 'IRE', 'EIR', 22.4, 'winter');

INSERT INTO sailing VALUES
    (1, '2024-03-10 17:30', '5', 126, 43),
    (1, '2024-07-03 17:30', '2', 68, 44),
    (1, '2024-07-26 09:40', '4', 275, 3),
    (1, '2024-08-08 13:05', '4', 62, 0),
    (1, '2024-08-21 09:40', '4', 204, 0),
    (1, '2024-09-25 07:15', '7', 253, 41),
    (1, '2024-10-10 13:05', '9', 179, NULL),
    (2, '2024-04-01 17:30', '1', 179, 37),
    (2, '2024-06-10 09:40', '3', 85, 4),
    (3, '2024-04-19 13:05', '4', 212, 14),
    (3, '2024-04-24 13:05', '7', 202, 21),
    (3, '2024-07-02 07:15', '8', 121, 34),
    (3, '2024-07-09 13:05', '3', 90, 31),
    (3, '2024-09-08 09:40', '2', 64, 42),
    (4, '2024-04-04 09:40', '8', 52, 18),
    (4, '2024-05-15 07:15', '5', 106, 30),
    (5, '2024-05-16 17:30', '5', 73, 31),
    (5, '2024-06-18 13:05', '8', 27, 0),
    (5, '2024-08-01 07:15', '1', 159, 8),
    (5, '2024-08-03 17:30', '1', 128, NULL),
    (5, '2024-08-24 17:30', '1', 40, 27),
    (8, '2024-03-18 07:15', '1', 56, 9),
    (8, '2024-03-22 13:05', '4', 102, 0),
    (8, '2024-08-18 07:15', '2', 66, 0),
    (8, '2024-10-28 17:30', '2', 214, 0),
    (9, '2024-05-18 09:40', '2', 206, 8),
    (9, '2024-08-16 13:05', '7', 124, 41),
    (9, '2024-09-07 13:05', '8', 123, 0),
    (9, '2024-09-09 17:30', '5', 91, 29),
    (9, '2024-10-15 09:40', '7', 192, 3),
    (10, '2024-05-07 07:15', '2', 212, 0),
    (10, '2024-07-21 17:30', '8', 44, 40),
    (11, '2024-04-05 09:40', '2', 60, 0),
    (11, '2024-05-19 07:15', '4', 71, 22),
    (12, '2024-04-06 13:05', '3', 31, NULL),
    (12, '2024-04-25 07:15', '8', 105, 17),
    (12, '2024-05-14 07:15', '8', 90, 3),
    (12, '2024-09-28 09:40', '8', 40, 0);
