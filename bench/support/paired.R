# Two systems on the same items, right or wrong: the answer of `gosset compare FILE` in base R. Usage: Rscript paired.R FILE
d <- read.csv(commandArgs(TRUE)[1])
w <- reshape(d, idvar = "item", timevar = "system", direction = "wide")
a <- w[[2]]; b <- w[[3]]
t <- table(factor(a, 0:1), factor(b, 0:1))
cat(mean(a), mean(b), mean(b - a), t.test(b, a, paired = TRUE)$conf.int, mcnemar.test(t)$p.value, "\n")
