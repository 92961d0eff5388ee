-- A club that lends seed and asks for seed back. Packets name their plant as text, as an old card index did.
CREATE TABLE plant (
    plant_id INTEGER PRIMARY KEY,
    common_name TEXT NOT NULL UNIQUE,
    family TEXT NOT NULL,
    days_to_harvest INTEGER,
    perennial INTEGER NOT NULL CHECK (perennial IN (0, 1))
);
CREATE TABLE member (
    member_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    town TEXT NOT NULL,
    joined_on TEXT NOT NULL,
    phone TEXT
);
CREATE TABLE packet (
    packet_id INTEGER PRIMARY KEY,
    plant_ref TEXT NOT NULL REFERENCES plant (plant_id),
    donor_id INTEGER REFERENCES member (member_id),
    grams REAL NOT NULL,
    packed_on TEXT NOT NULL,
    origin TEXT
);
CREATE TABLE loan (
    packet_id INTEGER NOT NULL REFERENCES packet (packet_id),
    member_id INTEGER NOT NULL REFERENCES member (member_id),
    taken_on TEXT NOT NULL,
    returned_grams REAL,
    PRIMARY KEY (packet_id, member_id)
);

INSERT INTO plant VALUES
    (1, 'Runner bean', 'Fabaceae', 75, 0),
    (2, 'Broad bean', 'Fabaceae', 110, 0),
    (3, 'Sweet pea', 'Fabaceae', NULL, 0),
    (4, 'Carrot', 'Apiaceae', 80, 0),
    (5, 'Dill', 'Apiaceae', 45, 0),
    (6, 'Lovage', 'Apiaceae', NULL, 1),
    (7, 'Tomato', 'Solanaceae', 95, 0),
    (8, 'Aubergine', 'Solanaceae', 120, 0),
    (9, 'Physalis', 'Solanaceae', 130, 1),
    (10, 'Kale', 'Brassicaceae', 60, 0),
    (11, 'Rocket', 'Brassicaceae', 35, 0),
    (12, 'Sea kale', 'Brassicaceae', NULL, 1),
    (13, 'Leek', 'Amaryllidaceae', 125, 0),
    (14, 'Chives', 'Amaryllidaceae', 70, 1),
    (15, 'Beetroot', 'Amaranthaceae', 65, 0),
    (16, 'Orache', 'Amaranthaceae', 50, 0);

INSERT INTO member VALUES
    (1, 'Petra Valk', 'Ardle', '2016-03-16', '0557 66356'),
    (2, 'Jonas Iyer', 'Ardle', '2022-12-22', '0677 46018'),
    (3, 'Mirela Stan', 'Ardle', '2018-01-24', '0924 10237'),
    (4, 'Theo Abara', 'Ardle', '2008-05-06', NULL),
    (5, 'Nell Croft', 'Ardle', '2019-02-08', '0888 23151'),
    (6, 'Ivo Lukic', 'Benthorpe', '2009-08-20', '0193 73136'),
    (7, 'Sanna Aalto', 'Benthorpe', '2021-01-08', '0672 96137'),
    (8, 'Bram Oude', 'Benthorpe', '2019-08-19', '0519 81324'),
    (9, 'Rosa Quint', 'Benthorpe', '2010-05-12', NULL),
    (10, 'Dilys Parry', 'Cawdle', '2023-01-19', '0661 67683'),
    (11, 'Omar Haddad', 'Cawdle', '2022-09-04', '0614 27331'),
    (12, 'Lotte Brandt', 'Cawdle', '2022-10-16', NULL),
    (13, 'Kofi Mensa', 'Dunmere', '2011-01-09', '0732 71873'),
    (14, 'Aino Salo', 'Dunmere', '2023-11-17', '0676 37922');

INSERT INTO packet VALUES
    (1, '1', 12, 21.5, '2023-12-16', 'island'),
    (2, '1', 13, 17.0, '2022-03-14', 'Ardle'),
    (3, '2', NULL, 19.5, '2022-08-07', 'Hungary'),
    (4, '3', 4, 7.75, '2021-05-05', 'Ardle'),
    (5, '4', 10, 26.0, '2019-11-18', 'Baltic'),
    (6, '4', 12, 12.0, '2023-12-28', 'island'),
    (7, '5', 10, 25.0, '2024-12-04', NULL),
    (8, '6', 6, 19.0, '2021-10-07', NULL),
    (9, '7', 12, 27.0, '2022-11-28', 'Baltic'),
    (10, '7', NULL, 23.5, '2022-02-21', 'Ardle'),
    (11, '7', 9, 5.25, '2021-08-06', 'island'),
    (12, '8', 4, 16.5, '2022-09-13', 'Hungary'),
    (13, '9', 9, 29.0, '2019-02-28', NULL),
    (14, '10', 6, 15.0, '2023-02-21', NULL),
    (15, '10', 2, 3.5, '2022-06-03', NULL),
    (16, '11', 2, 17.5, '2019-04-19', NULL),
    (17, '13', 5, 25.5, '2024-01-01', NULL),
    (18, '14', NULL, 18.25, '2022-10-13', 'Ardle'),
    (19, '15', 1, 19.5, '2023-12-10', 'Baltic'),
    (20, '1', 7, 9.5, '2020-01-19', 'island'),
    (21, '4', 4, 30.0, '2024-02-25', 'Hungary'),
    (22, '7', 10, 17.5, '2020-08-14', NULL),
    (23, '2', 12, 6.0, '2023-09-27', 'island'),
    (24, '10', 12, 27.0, '2024-10-14', 'Baltic'),
    (25, '13', 6, 8.25, '2019-07-10', 'island'),
    (26, '15', 2, 6.0, '2023-09-04', 'island'),
    (27, '11', 4, 24.0, '2020-02-03', 'island'),
    (28, '5', 4, 4.5, '2021-09-03', 'island');

INSERT INTO loan VALUES
    (4, 9, '2022-08-19', 2.5),
    (6, 2, '2022-05-21', NULL),
    (6, 7, '2023-10-14', NULL),
    (6, 14, '2022-02-08', NULL),
    (7, 11, '2024-02-18', 12.0),
    (8, 12, '2025-02-14', 9.5),
    (8, 14, '2023-09-08', 7.0),
    (11, 2, '2025-10-18', 2.5),
    (12, 7, '2024-03-08', NULL),
    (12, 12, '2022-10-08', 20.0),
    (13, 1, '2025-07-19', 1.5),
    (13, 3, '2025-12-15', NULL),
    (14, 3, '2022-03-22', 9.0),
    (15, 11, '2023-05-02', NULL),
    (16, 9, '2025-12-13', NULL),
    (17, 1, '2024-03-15', NULL),
    (17, 7, '2025-10-17', NULL),
    (17, 12, '2025-06-10', 19.0),
    (18, 11, '2022-01-13', 3.5),
    (19, 6, '2022-07-27', 6.0),
    (19, 8, '2023-02-26', 18.0),
    (20, 6, '2022-06-04', 1.5),
    (20, 14, '2023-03-28', NULL),
    (21, 5, '2024-04-24', 5.5),
    (22, 5, '2025-05-07', 10.0),
    (23, 2, '2024-06-05', 6.0),
    (23, 6, '2024-04-11', NULL),
    (24, 3, '2024-07-14', 18.0),
    (24, 7, '2022-02-08', 18.0),
    (24, 11, '2022-03-24', NULL);
