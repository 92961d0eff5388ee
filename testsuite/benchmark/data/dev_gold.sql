SELECT count(*) FROM lighthouse	lighthouse_watch
SELECT name FROM lighthouse WHERE coast = 'North'	lighthouse_watch
SELECT full_name FROM keeper WHERE born < '1950-01-01'	lighthouse_watch
SELECT T1.full_name FROM keeper AS T1 JOIN posting AS T2 ON T1.keeper_id = T2.keeper_id WHERE T2.grade = 'Head'	lighthouse_watch
SELECT coast , count(*) FROM lighthouse GROUP BY coast	lighthouse_watch
SELECT name FROM lighthouse ORDER BY height_m DESC LIMIT 1	lighthouse_watch
SELECT name FROM lighthouse WHERE lighthouse_id NOT IN (SELECT lighthouse_id FROM posting)	lighthouse_watch
SELECT coast FROM lighthouse GROUP BY coast HAVING count(*) > 2	lighthouse_watch
SELECT T1.full_name FROM keeper AS T1 JOIN keeper AS T2 ON T1.trained_by = T2.keeper_id WHERE T2.full_name = 'Isla Morrow'	lighthouse_watch
SELECT avg(T2.ships_seen) FROM lighthouse AS T1 JOIN log_entry AS T2 ON T1.lighthouse_id = T2.lighthouse_id WHERE T1.name = 'Dubh Point'	lighthouse_watch
SELECT T1.name FROM lighthouse AS T1 JOIN log_entry AS T2 ON T1.lighthouse_id = T2.lighthouse_id GROUP BY T1.lighthouse_id ORDER BY count(*) DESC LIMIT 1	lighthouse_watch
SELECT coast FROM lighthouse WHERE automated = 'Y' INTERSECT SELECT coast FROM lighthouse WHERE automated = 'N'	lighthouse_watch
SELECT name , lit_year FROM lighthouse WHERE height_m > (SELECT avg(height_m) FROM lighthouse) ORDER BY lit_year	lighthouse_watch
SELECT count(DISTINCT keeper_id) FROM posting	lighthouse_watch
SELECT count(*) FROM member WHERE town = 'Ardle'	seed_exchange
SELECT DISTINCT origin FROM packet	seed_exchange
SELECT common_name FROM plant WHERE days_to_harvest < 60 AND perennial = 0	seed_exchange
SELECT T1.common_name , sum(T2.grams) FROM plant AS T1 JOIN packet AS T2 ON T1.plant_id = T2.plant_ref GROUP BY T1.common_name	seed_exchange
SELECT family , count(*) FROM plant GROUP BY family	seed_exchange
SELECT name FROM member ORDER BY joined_on DESC LIMIT 1	seed_exchange
SELECT name FROM member WHERE member_id NOT IN (SELECT member_id FROM loan)	seed_exchange
SELECT T1.name , count(*) FROM member AS T1 JOIN packet AS T2 ON T1.member_id = T2.donor_id GROUP BY T1.member_id	seed_exchange
SELECT town FROM member WHERE joined_on < '2012-01-01' INTERSECT SELECT town FROM member WHERE joined_on > '2018-12-31'	seed_exchange
SELECT avg(T1.grams) FROM packet AS T1 JOIN plant AS T2 ON T1.plant_ref = T2.plant_id WHERE T2.family = 'Solanaceae'	seed_exchange
SELECT name , town FROM member ORDER BY joined_on	seed_exchange
SELECT T1.name , T1.town FROM member AS T1 JOIN loan AS T2 ON T1.member_id = T2.member_id GROUP BY T1.member_id ORDER BY count(*) DESC LIMIT 1	seed_exchange
SELECT T1.name FROM member AS T1 JOIN loan AS T2 ON T1.member_id = T2.member_id JOIN packet AS T3 ON T2.packet_id = T3.packet_id JOIN plant AS T4 ON T3.plant_ref = T4.plant_id WHERE T4.common_name = 'Kale' UNION SELECT T5.name FROM member AS T5 JOIN packet AS T6 ON T5.member_id = T6.donor_id JOIN plant AS T7 ON T6.plant_ref = T7.plant_id WHERE T7.common_name = 'Kale'	seed_exchange
SELECT family , max(days_to_harvest) FROM plant GROUP BY family HAVING count(*) >= 2	seed_exchange
SELECT count(*) FROM port WHERE island = 'Thorsay'	ferry_lines
SELECT vessel_name , capacity FROM vessel WHERE built < 1990	ferry_lines
SELECT max(capacity) FROM vessel WHERE owner = 'Harbour Trust'	ferry_lines
SELECT DISTINCT island FROM port WHERE berths > 3	ferry_lines
SELECT T1.vessel_name , count(*) FROM vessel AS T1 JOIN sailing AS T2 ON T1.vessel_id = T2.vessel_ref GROUP BY T1.vessel_id	ferry_lines
SELECT T1.port_name FROM port AS T1 JOIN route AS T2 ON T1.port_code = T2.from_port JOIN port AS T3 ON T2.to_port = T3.port_code WHERE T3.port_name = 'Fannock'	ferry_lines
SELECT port_name FROM port WHERE port_code NOT IN (SELECT from_port FROM route)	ferry_lines
SELECT avg(T1.delay_minutes) FROM sailing AS T1 JOIN vessel AS T2 ON T1.vessel_ref = T2.vessel_id WHERE T2.owner = 'Lomma Line'	ferry_lines
SELECT season , max(miles) FROM route GROUP BY season	ferry_lines
SELECT owner FROM vessel WHERE built > 2005 INTERSECT SELECT owner FROM vessel WHERE built < 1985	ferry_lines
SELECT departs , passengers FROM sailing WHERE passengers > (SELECT avg(passengers) FROM sailing) ORDER BY passengers DESC	ferry_lines
SELECT T1.vessel_name , T1.owner FROM vessel AS T1 JOIN sailing AS T2 ON T1.vessel_id = T2.vessel_ref GROUP BY T1.vessel_id ORDER BY sum(T2.passengers) DESC LIMIT 1	ferry_lines
SELECT count(*) FROM route WHERE season = 'all' AND miles > 5 OR season = 'all' AND miles < 3	ferry_lines
SELECT T1.island FROM port AS T1 JOIN route AS T2 ON T1.port_code = T2.from_port GROUP BY T1.island HAVING count(DISTINCT T1.port_code) >= 2	ferry_lines
SELECT count(*) FROM hive WHERE breed = 'Carnica'	bee_yard
SELECT place FROM apiary WHERE altitude > 300	bee_yard
SELECT DISTINCT honey FROM harvest WHERE gathered LIKE '2024%'	bee_yard
SELECT honey , sum(kilos) FROM harvest GROUP BY honey	bee_yard
SELECT T1.place , count(*) FROM apiary AS T1 JOIN hive AS T2 ON T1.apiary_id = T2.apiary_id GROUP BY T1.apiary_id	bee_yard
SELECT place FROM apiary ORDER BY altitude DESC LIMIT 1	bee_yard
SELECT T1.place , T2.hive_no FROM apiary AS T1 JOIN hive AS T2 ON T1.apiary_id = T2.apiary_id EXCEPT SELECT T1.place , T2.hive_no FROM apiary AS T1 JOIN treatment AS T2 ON T1.apiary_id = T2.apiary_id	bee_yard
SELECT apiary_id , hive_no FROM harvest GROUP BY apiary_id , hive_no HAVING sum(kilos) > 24	bee_yard
SELECT T1.breed , T1.queen_year FROM hive AS T1 JOIN hive AS T2 ON T1.split_apiary = T2.apiary_id AND T1.split_hive = T2.hive_no WHERE T2.breed = 'Buckfast'	bee_yard
SELECT avg(dose_ml) FROM treatment WHERE product = 'thymol'	bee_yard
SELECT landowner FROM apiary EXCEPT SELECT landowner FROM apiary WHERE altitude > 400	bee_yard
SELECT T1.place , sum(T2.kilos) FROM apiary AS T1 JOIN harvest AS T2 ON T1.apiary_id = T2.apiary_id GROUP BY T1.apiary_id ORDER BY sum(T2.kilos) DESC LIMIT 1	bee_yard
SELECT place , landowner FROM apiary ORDER BY altitude ASC	bee_yard
SELECT count(*) FROM treatment AS T1 JOIN apiary AS T2 ON T1.apiary_id = T2.apiary_id WHERE T2.place = 'Limetree Lane'	bee_yard
SELECT kind , count(*) FROM puppet GROUP BY kind	puppet_theatre
SELECT title FROM play WHERE minutes < 50	puppet_theatre
SELECT name FROM puppeteer WHERE hometown = 'Olomo' ORDER BY since	puppet_theatre
SELECT T1.puppet_name FROM puppet AS T1 JOIN puppeteer AS T2 ON T1.maker_id = T2.puppeteer_id WHERE T2.name = 'Greta Holm'	puppet_theatre
SELECT venue , count(*) FROM show GROUP BY venue	puppet_theatre
SELECT T1.title FROM play AS T1 JOIN show AS T2 ON T1.play_id = T2.play_id GROUP BY T1.play_id ORDER BY count(*) DESC LIMIT 1	puppet_theatre
SELECT puppet_name , kind FROM puppet WHERE puppet_id NOT IN (SELECT puppet_id FROM casting)	puppet_theatre
SELECT T1.title , sum(T2.tickets * T2.price) FROM play AS T1 JOIN show AS T2 ON T1.play_id = T2.play_id GROUP BY T1.play_id	puppet_theatre
SELECT DISTINCT T1.name FROM puppeteer AS T1 JOIN casting AS T2 ON T1.puppeteer_id = T2.puppeteer_id JOIN puppet AS T3 ON T2.puppet_id = T3.puppet_id WHERE T3.maker_id = T1.puppeteer_id	puppet_theatre
SELECT T1.venue FROM show AS T1 JOIN play AS T2 ON T1.play_id = T2.play_id WHERE T2.title = 'The Patient Goose' INTERSECT SELECT T1.venue FROM show AS T1 JOIN play AS T2 ON T1.play_id = T2.play_id WHERE T2.title = 'Sock Wolf'	puppet_theatre
SELECT avg(T1.tickets) FROM show AS T1 JOIN play AS T2 ON T1.play_id = T2.play_id WHERE T2.minimum_age > 5	puppet_theatre
SELECT count(*) FROM puppet WHERE made_year < 1990 OR maker_id = (SELECT puppeteer_id FROM puppeteer WHERE name = 'Wim Hendrix' ORDER BY puppeteer_id LIMIT 1)	puppet_theatre
SELECT held_on , tickets FROM show ORDER BY tickets DESC LIMIT 3	puppet_theatre
SELECT part FROM casting GROUP BY part HAVING count(DISTINCT puppet_id) > 3	puppet_theatre
SELECT count(*) FROM repair	repair_cafe
SELECT kind FROM item WHERE owner = 'Mr Coyle'	repair_cafe
SELECT name FROM volunteer WHERE skill = 'electrics'	repair_cafe
SELECT avg(weight_kg) FROM item WHERE brand = 'Brava'	repair_cafe
SELECT T1.name , sum(T2.minutes) FROM volunteer AS T1 JOIN repair AS T2 ON T1.volunteer_id = T2.volunteer_id GROUP BY T1.volunteer_id	repair_cafe
SELECT T1.name FROM volunteer AS T1 JOIN repair AS T2 ON T1.volunteer_id = T2.volunteer_id GROUP BY T1.volunteer_id ORDER BY count(*) DESC LIMIT 1	repair_cafe
SELECT owner , kind FROM item WHERE item_id NOT IN (SELECT item_id FROM repair)	repair_cafe
SELECT brand , count(*) FROM item GROUP BY brand HAVING count(*) > 1	repair_cafe
SELECT kind , owner FROM item ORDER BY weight_kg DESC LIMIT 1	repair_cafe
SELECT T1.name FROM volunteer AS T1 JOIN volunteer AS T2 ON T1.mentor_id = T2.volunteer_id WHERE T2.name = 'Hana Brook' ORDER BY T1.name	repair_cafe
SELECT T1.evening FROM repair AS T1 JOIN volunteer AS T2 ON T1.volunteer_id = T2.volunteer_id WHERE T2.skill = 'electrics' INTERSECT SELECT T1.evening FROM repair AS T1 JOIN volunteer AS T2 ON T1.volunteer_id = T2.volunteer_id WHERE T2.skill = 'bicycles'	repair_cafe
SELECT T1.kind , avg(T2.minutes) FROM item AS T1 JOIN repair AS T2 ON T1.item_id = T2.item_id GROUP BY T1.kind ORDER BY avg(T2.minutes) DESC	repair_cafe
SELECT "group" , sum(price) FROM "order" GROUP BY "group"	repair_cafe
SELECT T1."part name" FROM "order" AS T1 JOIN repair AS T2 ON T1.repair_id = T2.repair_id WHERE T2.minutes > 60	repair_cafe
SELECT DISTINCT T1.outcome FROM repair AS T1 JOIN volunteer AS T2 ON T1.volunteer_id = T2.volunteer_id WHERE T2.name = 'Hana Brook'	repair_cafe
SELECT DISTINCT T1.name FROM volunteer AS T1 JOIN repair AS T2 ON T1.volunteer_id = T2.volunteer_id JOIN item AS T3 ON T2.item_id = T3.item_id WHERE T3.weight_kg > (SELECT max(weight_kg) FROM item WHERE kind = 'toaster')	repair_cafe
