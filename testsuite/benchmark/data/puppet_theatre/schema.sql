-- A travelling puppet theatre: who made which puppet, and who led it in which show.
CREATE TABLE puppeteer (
    puppeteer_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    hometown TEXT,
    since INTEGER NOT NULL
);
CREATE TABLE puppet (
    puppet_id INTEGER PRIMARY KEY,
    puppet_name TEXT NOT NULL,
    kind TEXT NOT NULL,
    made_year INTEGER NOT NULL,
    maker_id INTEGER REFERENCES puppeteer (puppeteer_id)
);
CREATE TABLE play (
    play_id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    minutes INTEGER NOT NULL,
    minimum_age INTEGER
);
CREATE TABLE show (
    show_id INTEGER PRIMARY KEY,
    play_id INTEGER NOT NULL REFERENCES play (play_id),
    held_on TEXT NOT NULL,
    venue TEXT NOT NULL,
    tickets INTEGER NOT NULL,
    price REAL NOT NULL
);
CREATE TABLE casting (
    show_id INTEGER NOT NULL REFERENCES show (show_id),
    puppet_id INTEGER NOT NULL REFERENCES puppet (puppet_id),
    puppeteer_id INTEGER NOT NULL REFERENCES puppeteer (puppeteer_id),
    part TEXT NOT NULL,
    PRIMARY KEY (show_id, puppet_id)
);

INSERT INTO puppeteer VALUES
    (1, 'Zdenka Mares', 'Olomo', 1988),
    (2, 'Filip Arto', 'Varn', 2001),
    (3, 'Greta Holm', 'Varn', 1996),
    (4, 'Nuri Celik', NULL, 2012),
    (5, 'Paola Rizzo', 'Testa', 2005),
    (6, 'Wim Hendrix', 'Lier', 1979),
    (7, 'Yara Costa', 'Olomo', 2015),
    (8, 'Bogdan Ilic', 'Sabac', 2008),
    (9, 'Liesl Amber', NULL, 2019),
    (10, 'Marek Novy', 'Olomo', 1993),
    (11, 'Cleo Dufour', 'Testa', 2017);

INSERT INTO puppet VALUES
    (1, 'Baron Bristle', 'marionette', 1975, 1),
    (2, 'Pim', 'glove', 1982, 1),
    (3, 'The Moon', 'shadow', 1980, 3),
    (4, 'Crow King', 'marionette', 1987, 6),
    (5, 'Marzipan', 'glove', 1985, 3),
    (6, 'Old Net', 'rod', 1992, 10),
    (7, 'Tilly Tatters', 'marionette', 1990, 6),
    (8, 'Inspector Moth', 'rod', 1997, NULL),
    (9, 'Goose', 'glove', 1995, 1),
    (10, 'Small Bear', 'glove', 1993, 2),
    (11, 'Duke of Mud', 'marionette', 2000, 10),
    (12, 'Ferrywoman', 'rod', 1998, 3),
    (13, 'Kettle', 'glove', 2005, NULL),
    (14, 'The Moonling', 'shadow', 2003, 2),
    (15, 'Sparrow', 'shadow', 2010, NULL),
    (16, 'Chimney Sweep', 'marionette', 2008, 6),
    (17, 'Wolf in Socks', 'glove', 2015, 8),
    (18, 'Nettle Queen', 'rod', 2013, 10);

INSERT INTO play VALUES
    (1, 'The Drowned Bell', 55, 6),
    (2, 'Marzipan Thief', 40, 4),
    (3, 'Night of the Crow', 75, 10),
    (4, 'Seven Kettles', 35, NULL),
    (5, 'The Patient Goose', 45, 3),
    (6, 'Moonling', 50, 5),
    (7, 'A Duke in the Reeds', 80, 8),
    (8, 'Sock Wolf', 30, 3),
    (9, 'The Net Mender', 65, NULL),
    (10, 'Winter Ferry', 60, 7);

INSERT INTO show VALUES
    (1, 1, '2024-01-27', 'Town Hall', 164, 3.5),
    (2, 2, '2024-01-18', 'Barn Stage', 141, 3.5),
    (3, 2, '2024-02-22', 'Barn Stage', 103, 5.0),
    (4, 3, '2024-02-21', 'Town Hall', 104, 8.0),
    (5, 5, '2024-03-08', 'School No 4', 168, 6.0),
    (6, 5, '2024-03-08', 'School No 4', 75, 5.0),
    (7, 5, '2024-04-17', 'Open Quay', 157, 5.0),
    (8, 6, '2024-04-03', 'Barn Stage', 182, 5.0),
    (9, 7, '2024-05-11', 'Town Hall', 47, 4.5),
    (10, 8, '2024-05-03', 'School No 4', 125, 4.5),
    (11, 8, '2024-06-21', 'Open Quay', 37, 5.0),
    (12, 1, '2024-06-18', 'Open Quay', 169, 3.5),
    (13, 3, '2024-07-06', 'Town Hall', 28, 6.0),
    (14, 6, '2024-07-12', 'Barn Stage', 92, 3.5),
    (15, 10, '2024-08-11', 'Open Quay', 59, 4.5),
    (16, 2, '2024-08-22', 'School No 4', 79, 3.5),
    (17, 5, '2024-09-17', 'School No 4', 144, 8.0),
    (18, 8, '2024-09-22', 'School No 4', 158, 8.0),
    (19, 7, '2024-10-17', 'Town Hall', 106, 4.5),
    (20, 1, '2024-10-10', 'Barn Stage', 186, 5.0),
    (21, 6, '2024-11-14', 'Barn Stage', 190, 8.0),
    (22, 10, '2024-11-22', 'Open Quay', 68, 3.5);

INSERT INTO casting VALUES
    (1, 5, 6, 'lead'),
    (1, 11, 5, 'villain'),
    (1, 17, 10, 'crowd'),
    (3, 1, 4, 'crowd'),
    (3, 3, 8, 'friend'),
    (3, 14, 4, 'crowd'),
    (4, 16, 10, 'villain'),
    (5, 1, 1, 'friend'),
    (5, 4, 5, 'lead'),
    (5, 6, 8, 'crowd'),
    (5, 7, 7, 'lead'),
    (5, 15, 7, 'crowd'),
    (6, 1, 1, 'villain'),
    (6, 3, 3, 'crowd'),
    (6, 7, 6, 'villain'),
    (6, 15, 1, 'villain'),
    (6, 17, 1, 'lead'),
    (7, 2, 8, 'crowd'),
    (7, 18, 1, 'lead'),
    (8, 10, 5, 'villain'),
    (8, 11, 2, 'villain'),
    (8, 15, 7, 'friend'),
    (8, 18, 3, 'villain'),
    (9, 3, 8, 'villain'),
    (9, 7, 4, 'friend'),
    (10, 3, 6, 'lead'),
    (11, 3, 6, 'lead'),
    (12, 6, 1, 'villain'),
    (14, 3, 5, 'villain'),
    (14, 18, 2, 'lead'),
    (17, 3, 8, 'crowd'),
    (18, 3, 1, 'lead'),
    (18, 6, 6, 'lead'),
    (18, 9, 1, 'villain'),
    (19, 5, 3, 'crowd'),
    (20, 3, 3, 'villain'),
    (20, 10, 1, 'villain'),
    (20, 14, 6, 'crowd'),
    (20, 15, 4, 'crowd');
